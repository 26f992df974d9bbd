-- How often each question was decided without the person in two neighbouring periods. What was answered
-- because they were away is left out: it saved waiting, and none of their time.
-- $1 first day of both, $2 last day of both, $3 first day of the current one, $4 project or NULL.
SELECT day >= $3::DATE AS is_current, project, question_key, count(*)::DOUBLE AS times
FROM questions
WHERE
    outcome = 'auto_decided'
    AND level IS DISTINCT FROM 'away'
    AND day BETWEEN $1::DATE AND $2::DATE
    AND ($4::VARCHAR IS NULL OR project = $4)
GROUP BY is_current, project, question_key
ORDER BY project, question_key;
