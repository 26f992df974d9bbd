INSERT INTO wordings FROM incoming_wordings();
