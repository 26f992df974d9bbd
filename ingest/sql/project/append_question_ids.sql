INSERT INTO question_ids FROM incoming_ids();
