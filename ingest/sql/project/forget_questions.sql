DELETE FROM question_facts WHERE number IN (SELECT number FROM incoming_numbers());
