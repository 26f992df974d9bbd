-- The last day with a question or a prompt for permission; NULL without any. Reads the variable `request`.
SELECT max(day)
FROM (
    SELECT day, project FROM questions
    UNION ALL
    SELECT day, project FROM permission_prompts
)
WHERE getvariable('request').project IS NULL OR project = getvariable('request').project;
