-- How many questions there are by day, in order, none in the future: what `askings.sql` reads at once is cut by it.
-- Reads the variable `today`.
SELECT day, count(*)::UBIGINT AS questions
FROM questions
WHERE day <= getvariable('today')
GROUP BY day
ORDER BY day;
