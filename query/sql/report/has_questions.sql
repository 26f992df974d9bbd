-- Whether the period has a question. Reads the variable `request`.
SELECT EXISTS (
    SELECT 1
    FROM questions
    WHERE
        day BETWEEN getvariable('request').first_day AND getvariable('request').last_day
        AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
);
