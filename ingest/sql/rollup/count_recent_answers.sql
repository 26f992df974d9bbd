SELECT count(*) FROM recent_answers WHERE series IN (SELECT key FROM incoming_keys());
