-- The questions behind the figures of a report, in the order of time. `became` and `error_kind` are those of
-- tally.sql, the seconds those of answering.sql. Waits that overlap count once, the earlier one first, as in the
-- report (waiting.sql): so they are taken of the days that the report takes them of.
-- $1 first day, $2 last day, $3 project or NULL, $4 first day and $5 last day of waiting.
WITH waited AS (
    SELECT
        number,
        waited_seconds,
        while_away
    FROM waits($4::DATE, $5::DATE, $3::VARCHAR)
)
SELECT
    ts,
    day,
    project,
    session_id,
    session_kind::VARCHAR AS session_kind,
    tool_use_id,
    question_index,
    question_key,
    key_source::VARCHAR AS key_source,
    skill,
    question,
    outcome::VARCHAR AS outcome,
    CASE
        WHEN outcome <> 'auto_decided' THEN NULL
        WHEN preference = 'reask' THEN 'session'
        WHEN preference = 'reviewer' AND auto_reason = 'denied' THEN 'turned_down'
        WHEN preference = 'reviewer' THEN 'reviewer'
        WHEN preference = 'away' THEN 'away'
        ELSE 'preferences'
    END AS decided_by,
    -- An answer that saved the person no time: given because they were away, or taken back.
    level IS NOT DISTINCT FROM 'away' OR EXISTS (
        FROM undone_answers
        WHERE
            undone_answers.tool_use_id = questions.tool_use_id
            AND undone_answers.question_index = questions.question_index
    ) AS saved_nothing,
    CASE WHEN outcome = 'failed' THEN coalesce(nullif(error_kind, 'hook'), 'unknown') END AS error_kind,
    answer_name,
    followed_recommendation,
    human_seconds,
    answering_seconds(human_seconds, question_count) AS answering_seconds,
    away_seconds(human_seconds, question_count) AS away_seconds,
    waited_seconds,
    coalesce(while_away, false) AS waited_while_away
FROM questions
LEFT JOIN waited ON waited.number = questions.rowid
WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
ORDER BY ts, question_index, id;
