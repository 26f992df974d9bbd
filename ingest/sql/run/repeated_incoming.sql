-- The same, of the rows that came.
SELECT id
FROM questions
WHERE id IN (SELECT id FROM questions WHERE rowid >= getvariable('first_question'))
GROUP BY id
HAVING count(*) > 1
ORDER BY id;
