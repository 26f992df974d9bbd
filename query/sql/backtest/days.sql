-- How many questions there are by day, in order: what `askings.sql` reads at once is cut by it.
SELECT day, count(*)::UBIGINT AS questions FROM questions GROUP BY day ORDER BY day;
