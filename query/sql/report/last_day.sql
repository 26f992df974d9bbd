-- The last day with a question; NULL without any. $1 project or NULL.
SELECT max(day) FROM questions WHERE $1::VARCHAR IS NULL OR project = $1;
