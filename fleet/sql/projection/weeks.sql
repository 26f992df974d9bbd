-- The moments at which the weeks of questions and prompts begin, Mondays of UTC. (1970-01-01 was a Thursday.)
SELECT DISTINCT put_us - ((put_us + 3 * 86400000000) % 604800000000 + 604800000000) % 604800000000 AS week_us
FROM (SELECT put_us FROM questions UNION ALL SELECT put_us FROM prompts)
ORDER BY week_us;
