INSERT INTO question_facts FROM incoming_questions();
