-- Of what was decided without the person in two neighbouring periods, what no preference decided, one
-- row each: answers of theirs that held for the session, answers of their reviewer, calls that it
-- turned down, and what was answered because they were away.
-- $1 first day of both, $2 last day of both, $3 first day of the current one, $4 project or NULL.
SELECT
    day >= $3::DATE AS is_current,
    count(*) FILTER (preference = 'reask')::UBIGINT AS session,
    count(*) FILTER (
        preference = 'reviewer' AND auto_reason IS DISTINCT FROM 'denied'
    )::UBIGINT AS reviewer,
    count(*) FILTER (preference = 'reviewer' AND auto_reason = 'denied')::UBIGINT AS turned_down,
    count(*) FILTER (preference = 'away')::UBIGINT AS away
FROM questions
WHERE
    outcome = 'auto_decided'
    AND preference IN ('reask', 'reviewer', 'away')
    AND day BETWEEN $1::DATE AND $2::DATE
    AND ($4::VARCHAR IS NULL OR project = $4)
GROUP BY is_current;
