-- Who asked the period's questions that the person was to answer, by project, and how many calls of each Claude Code
-- rejected, as its question tool does not take them. A skill, and the command of its name that is typed, are one,
-- which goes by the command's slash.
-- Reads the variable `request`.
SELECT
    project,
    min(nullif(skill, '')) AS asker,
    count(*)::UBIGINT AS asked,
    count(*) FILTER (outcome = 'failed' AND error_kind = 'validation' AND question_index = 0)::UBIGINT AS rejected
FROM questions
WHERE
    outcome <> 'auto_decided'
    AND day BETWEEN getvariable('request').first_day AND getvariable('request').last_day
    AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
GROUP BY project, ltrim(nullif(skill, ''), '/')
ORDER BY project, asker;
