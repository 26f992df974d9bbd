-- How often each question was decided without the person in two neighbouring periods. What was answered
-- because they were away is left out: it saved waiting, and none of their time; and so is what they took back.
-- Reads the variable `request`.
SELECT day >= getvariable('request').first_day AS is_current, project, question_key, count(*)::DOUBLE AS times
FROM questions
ANTI JOIN undone_answers USING (tool_use_id, question_index)
WHERE
    outcome = 'auto_decided'
    AND level IS DISTINCT FROM 'away'
    AND day BETWEEN getvariable('request').first_day_before AND getvariable('request').last_day
    AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
GROUP BY is_current, project, question_key
ORDER BY project, question_key;
