-- The first and the last day with a question, none in the future (NULL without any), and how many questions there are.
-- Reads the variable `today`.
SELECT min(day), max(day), count(*)::UBIGINT FROM questions WHERE day <= getvariable('today');
