-- How often each question came up, by day; days without it have no row.
-- $1 first day, $2 last day, $3 project or NULL.
SELECT question_key, project, day, count(*)::UBIGINT AS times
FROM questions
WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
GROUP BY ALL
ORDER BY ALL;
