-- The latest forty answers of a person's to each question they answered at least $1 times in one
-- project. The rows are found first and read afterwards: only the newest part of the table holds
-- most of them.
WITH latest AS (
    SELECT unnest(arg_max(rowid, put_at, 40)) AS found
    FROM questions
    WHERE outcome = 'answered'
        AND was_auto_decided IS NOT true
        AND session_kind = 'interactive'
    GROUP BY project, question_key
    HAVING count(*) >= $1
)
SELECT
    project,
    question_key,
    key_source,
    put_at,
    day,
    session_id,
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
FROM questions
WHERE rowid IN (SELECT found FROM latest);
