-- The period's sessions and questions by session kind.
-- $1 first day, $2 last day, $3 project or NULL, $4 the first day whose open questions may still be
-- answered.
SELECT
    session_kind::VARCHAR AS session_kind,
    count(DISTINCT nullif(session_id, ''))::UBIGINT AS sessions,
    count(*) FILTER (outcome <> 'auto_decided')::UBIGINT AS asked,
    count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
    count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
    count(*) FILTER (outcome = 'failed')::UBIGINT AS failed,
    count(*) FILTER (
        outcome = 'dismissed' OR outcome = 'open' AND day < $4::DATE
    )::UBIGINT AS dismissed
FROM questions
WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
GROUP BY ALL
ORDER BY count(*) DESC, session_kind::VARCHAR;
