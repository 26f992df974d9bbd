INSERT INTO {questions} FROM questions_of_log();
