-- The questions as they are now, in place of what they were. A question with nothing behind it is
-- dismissed once its session went on, and open until then.
DELETE FROM questions
USING previous
WHERE questions.tool_use_id = previous.tool_use_id
  AND questions.question_index = previous.question_index;
