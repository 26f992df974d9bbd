DELETE FROM recent_answers WHERE number IN (SELECT number FROM incoming_numbers());
