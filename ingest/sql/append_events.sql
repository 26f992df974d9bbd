INSERT INTO events SELECT ?::UINTEGER, * FROM incoming_events();
