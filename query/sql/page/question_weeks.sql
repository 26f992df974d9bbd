-- How often each question came up, by ISO week (by its Monday); weeks without it have no row.
-- $1 first day of the weeks, $2 last day of the weeks, $3 project or NULL.
SELECT
    question_key, project, date_trunc('week', day)::DATE AS monday, count(*)::UBIGINT AS times
FROM questions
WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
GROUP BY ALL
ORDER BY ALL;
