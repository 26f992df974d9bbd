-- All rows of the questions that came in this run, those that were there before, too.
CREATE OR REPLACE TEMP TABLE days AS
SELECT day
FROM question_days
WHERE id_start IN (SELECT (id >> 32)::UINTEGER FROM questions WHERE rowid >= getvariable('first_question'));

SET VARIABLE first_day = (SELECT min(day) FROM days);
SET VARIABLE last_day = (SELECT max(day) FROM days);

CREATE OR REPLACE TEMP TABLE found AS
SELECT rowid AS row_number, id, session_id
FROM questions
WHERE
    ts >= getvariable('first_day')
    AND ts < getvariable('last_day') + INTERVAL 1 DAY
    AND id IN (SELECT id FROM questions WHERE rowid >= getvariable('first_question'));

SET VARIABLE first_found = (SELECT coalesce(min(row_number), 0) FROM found);

-- The sessions in which questions came or were, and those of which something else came.
INSERT INTO touched
SELECT session_id FROM found
UNION
SELECT session_id FROM sessions WHERE rowid >= getvariable('first_session');

DROP TABLE temp.days;
