DELETE FROM session_facts WHERE session IN (SELECT key FROM incoming_keys());
