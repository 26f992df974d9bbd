-- Of the latest $1 weeks with a question or a prompt for permission: the Monday of the first, and the last day with one.
-- NULL without any. Reads the variable `request`.
SELECT min(monday), max(day)
FROM (
    SELECT date_trunc('week', day)::DATE AS monday, max(day) AS day
    FROM (
        SELECT day, project FROM questions
        UNION ALL
        SELECT day, project FROM permission_prompts
    )
    WHERE getvariable('request').project IS NULL OR project = getvariable('request').project
    GROUP BY monday
    ORDER BY monday DESC
    LIMIT $1
);
