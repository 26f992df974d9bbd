-- The last day with a question, none in the future; NULL without any. Reads the variable `today`.
SELECT max(day) FROM questions WHERE day <= getvariable('today');
