INSERT INTO log SELECT ?::UINTEGER, * FROM incoming_events();
