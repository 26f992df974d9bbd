-- The sessions in which questions came or were, and those of which something else came.
INSERT INTO touched
SELECT session_id
FROM questions
WHERE id IN (SELECT id FROM questions WHERE rowid >= getvariable('first_question'))
UNION
SELECT session_id FROM sessions WHERE rowid >= getvariable('first_session');
