-- The last asking of the question $1, in the project $2 if it was ever put there: key source,
-- text, header, options, and why it was one-way if it was.
SELECT
    key_source,
    question,
    header,
    options,
    CASE WHEN door = 'one-way' THEN coalesce(door_reason, 'as logged') END
FROM questions
WHERE question_key = $1
ORDER BY project = $2 DESC NULLS LAST, put_at DESC, tool_use_id DESC, question_index DESC
LIMIT 1;
