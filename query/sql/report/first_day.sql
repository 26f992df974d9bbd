-- The first day with a question; NULL without any. Reads the variable `request`.
SELECT min(day) FROM questions WHERE getvariable('request').project IS NULL OR project = getvariable('request').project;
