-- Every time that one of the questions $1 (keys, with commas between them) was put, in the project $2
-- or, for NULL, in any, in the order of time.
SELECT
    project,
    put_at,
    day,
    session_kind,
    session_id,
    coalesce(tool_use_id, ''),
    question,
    outcome,
    coalesce(answer, auto_answer),
    free_text,
    notes,
    human_seconds
FROM questions
WHERE
    question_key IN (SELECT unnest(string_split($1, ',')))
    AND ($2::VARCHAR IS NULL OR project = $2)
ORDER BY put_at, tool_use_id, question_index;
