DELETE FROM questions
USING previous
WHERE questions.tool_use_id = previous.tool_use_id
  AND questions.question_index = previous.question_index;

INSERT INTO questions BY NAME SELECT * FROM merged;
