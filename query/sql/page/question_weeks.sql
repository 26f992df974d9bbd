-- How often each question of the period came up, by ISO week (by its Monday); weeks without it have no row.
-- $1 first day of the weeks, $2 last day of the weeks, $3 first day of the period, $4 its last day,
-- $5 project or NULL.
WITH listed AS (
    SELECT DISTINCT question_key, project
    FROM questions
    WHERE day BETWEEN $3::DATE AND $4::DATE AND ($5::VARCHAR IS NULL OR project = $5)
)
SELECT
    question_key, project, date_trunc('week', day)::DATE AS monday, count(*)::UBIGINT AS times
FROM questions
SEMI JOIN listed USING (question_key, project)
WHERE day BETWEEN $1::DATE AND $2::DATE
GROUP BY ALL
ORDER BY ALL;
