INSERT INTO contexts FROM incoming_contexts();
