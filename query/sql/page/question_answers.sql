-- The person's answers to each question of the period by name, the most frequent first.
-- $1 first day, $2 last day, $3 project or NULL.
SELECT name, project, answer_name, count(*) AS times
FROM named_questions($1::DATE, $2::DATE, $3::VARCHAR)
WHERE outcome = 'answered' AND answer_name IS NOT NULL
GROUP BY ALL
ORDER BY name, project, times DESC, answer_name;
