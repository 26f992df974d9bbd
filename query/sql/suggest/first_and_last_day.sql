-- The first and the last day with a question, none in the future; NULL without any. Reads the variable `today`.
SELECT min(day), max(day) FROM questions WHERE day <= getvariable('today');
