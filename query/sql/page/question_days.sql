-- How often each question came up, by day; days without it have no row.
-- $1 first day, $2 last day, $3 project or NULL.
SELECT name, project, day, count(*) AS times
FROM named_questions($1::DATE, $2::DATE, $3::VARCHAR)
GROUP BY ALL
ORDER BY ALL;
