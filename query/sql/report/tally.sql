-- How many questions there were, by day, session kind and what became of them, of failures also by what
-- went wrong; 'hook' is the hook's own kind, whatever a foreign event says.
-- Reads the variable `request`.
SELECT
    day,
    session_kind::VARCHAR AS session_kind,
    CASE
        WHEN outcome = 'dismissed' AND dismissed_reason = 'afk_timeout' THEN 'timed_out'
        WHEN outcome <> 'auto_decided' THEN outcome::VARCHAR
        WHEN preference = 'reask' THEN 'session'
        WHEN preference = 'reviewer' AND auto_reason = 'denied' THEN 'turned_down'
        WHEN preference = 'reviewer' THEN 'reviewer'
        WHEN preference = 'away' THEN 'away'
        ELSE 'preference'
    END AS became,
    CASE WHEN outcome = 'failed' THEN coalesce(nullif(error_kind, 'hook'), 'unknown') END AS error_kind,
    count(*)::UBIGINT AS questions,
    count(*) FILTER (question_index = 0)::UBIGINT AS calls,
    coalesce(sum(answering_seconds(human_seconds, question_count)), 0) AS human_seconds,
    count(*) FILTER (was_away(human_seconds, question_count))::UBIGINT AS away_answers,
    coalesce(sum(away_seconds(human_seconds, question_count)), 0) AS away_seconds
FROM questions
WHERE
    day BETWEEN getvariable('request').first_day_before AND getvariable('request').last_day
    AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
GROUP BY ALL;
