-- Every time that one of the questions $1 (keys, with commas between them) was asked, in the project $2
-- or, for NULL, in any, in the order of time.
SELECT
    ts AS at,
    day,
    session_kind::VARCHAR AS session_kind,
    session_id,
    tool_use_id,
    question,
    outcome::VARCHAR AS outcome,
    coalesce(answer, auto_answer) AS answer,
    free_text,
    notes,
    human_seconds
FROM questions
WHERE
    question_key IN (SELECT unnest(string_split($1, ',')))
    AND ($2::VARCHAR IS NULL OR project = $2)
ORDER BY ts, tool_use_id, question_index, id;
