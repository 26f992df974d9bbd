SELECT count(*) FROM question_facts;
