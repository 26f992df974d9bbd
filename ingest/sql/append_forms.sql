INSERT INTO forms FROM incoming_forms();
