-- Per ISO week (by its Monday) what was asked; a week without questions has no row.
-- $1 first day, $2 last day, $3 project or NULL, $4 the first day whose open questions may still be answered.
SELECT
    date_trunc('week', day)::DATE AS monday,
    count(*) FILTER (outcome <> 'auto_decided')::UBIGINT AS asked,
    count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
    count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
    count(*) FILTER (outcome = 'failed')::UBIGINT AS failed,
    count(*) FILTER (
        outcome = 'dismissed' OR outcome = 'open' AND day < $4::DATE
    )::UBIGINT AS dismissed,
    count(*) FILTER (outcome = 'open' AND day >= $4::DATE)::UBIGINT AS open,
    round(coalesce(sum(human_seconds), 0), 3) AS human_seconds
FROM questions
WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
GROUP BY monday
ORDER BY monday;
