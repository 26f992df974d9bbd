-- The person's answers to each question of the period by name, the most frequent first.
-- $1 first day, $2 last day, $3 project or NULL.
SELECT question_key, project, answer_name, count(*)::UBIGINT AS times
FROM questions
WHERE
    outcome = 'answered'
    AND answer_name IS NOT NULL
    AND day BETWEEN $1::DATE AND $2::DATE
    AND ($3::VARCHAR IS NULL OR project = $3)
GROUP BY ALL
ORDER BY question_key, project, times DESC, answer_name;
