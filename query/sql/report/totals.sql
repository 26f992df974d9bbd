-- The sums of two neighbouring periods, one row each; a period without questions has no row.
-- $1 first day of both, $2 last day of both, $3 first day of the current one, $4 project or NULL,
-- $5 the first day whose open questions may still be answered.
SELECT
    day >= $3::DATE AS is_current,
    count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
    count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
    count(*) FILTER (outcome = 'failed')::UBIGINT AS failed,
    count(*) FILTER (
        outcome = 'dismissed' OR outcome = 'open' AND day < $5::DATE
    )::UBIGINT AS dismissed,
    count(*) FILTER (outcome = 'open' AND day >= $5::DATE)::UBIGINT AS open,
    count(*) FILTER (question_index = 0)::UBIGINT AS calls,
    count(DISTINCT nullif(session_id, ''))::UBIGINT AS sessions,
    round(coalesce(sum(human_seconds), 0), 3) AS human_seconds
FROM questions
WHERE day BETWEEN $1::DATE AND $2::DATE AND ($4::VARCHAR IS NULL OR project = $4)
GROUP BY is_current;
