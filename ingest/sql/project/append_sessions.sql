INSERT INTO session_facts FROM incoming_sessions();
