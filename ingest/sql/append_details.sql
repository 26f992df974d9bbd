INSERT INTO details FROM incoming_details();
