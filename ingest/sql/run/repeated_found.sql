-- The same, of the questions that came in this run.
SELECT id FROM found GROUP BY id HAVING count(*) > 1 ORDER BY id;
