-- The latest $2 answers of a person's to each question they answered at least $1 times in one
-- project, in the order of project, key and time.
WITH candidates AS (
    SELECT project, question_key
    FROM daily
    WHERE session_kind = 'interactive'
    GROUP BY project, question_key
    HAVING sum(answered) >= $1
)
SELECT
    project,
    question_key,
    put_at,
    day,
    session_id,
    tool_use_id,
    question_index,
    question,
    header,
    options,
    recommended,
    coalesce(multi_select, false),
    CASE WHEN door = 'one-way' THEN coalesce(door_reason, 'as logged') END,
    answer,
    free_text IS NOT NULL OR notes IS NOT NULL,
    human_seconds
FROM questions SEMI JOIN candidates USING (project, question_key)
WHERE outcome = 'answered'
    AND was_auto_decided IS NOT true
    AND session_kind = 'interactive'
QUALIFY row_number() OVER (
    PARTITION BY project, question_key
    ORDER BY put_at DESC, question_index DESC, session_id DESC, tool_use_id DESC
) <= $2
ORDER BY project, question_key, put_at;
