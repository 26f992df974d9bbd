-- The questions behind the figures of a report, in the order of time. `became` and `error_kind` are those of
-- tally.sql, `quarter` is in UTC.
-- $1 first day, $2 last day, $3 project or NULL.
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
    level = 'away' AS is_away,
    CASE WHEN outcome = 'failed' THEN coalesce(nullif(error_kind, 'hook'), 'unknown') END AS error_kind,
    answer_name,
    followed_recommendation,
    human_seconds
FROM questions
WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
ORDER BY ts, question_index, id;
