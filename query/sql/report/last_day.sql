-- The last day with a question; NULL without any. Reads the variable `request`.
SELECT max(day) FROM questions WHERE getvariable('request').project IS NULL OR project = getvariable('request').project;
