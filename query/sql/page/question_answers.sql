-- The person's answers to each question of the period by name, the most frequent first.
-- Reads the variable `request`.
SELECT name, project, answer_name, count(*) AS times
FROM named_questions(
    getvariable('request').first_day, getvariable('request').last_day, getvariable('request').project
)
WHERE outcome = 'answered' AND answer_name IS NOT NULL
GROUP BY ALL
ORDER BY name, project, times DESC, answer_name;
