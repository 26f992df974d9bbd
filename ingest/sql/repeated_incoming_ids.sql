-- The same, of the ids that came.
SELECT id FROM questions SEMI JOIN incoming USING (id) GROUP BY id HAVING count(*) > 1 ORDER BY id;
