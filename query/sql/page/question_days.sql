-- How often each question came up, by day; days without it have no row.
-- Reads the variable `request`.
SELECT name, project, day, count(*) AS times
FROM named_questions(
    getvariable('request').first_day, getvariable('request').last_day, getvariable('request').project
)
GROUP BY ALL
ORDER BY ALL;
