-- Moves the earlier rows of this run's questions to the new rows, so that they are merged. The days in which they can
-- lie are looked up first.
CREATE OR REPLACE TEMP TABLE days AS
SELECT day FROM question_days WHERE id_start IN (SELECT (id >> 32)::UINTEGER FROM new_questions);

SET VARIABLE first_day = (SELECT min(day) FROM days);
SET VARIABLE last_day = (SELECT max(day) FROM days);

INSERT INTO new_questions
FROM questions
WHERE
    ts >= getvariable('first_day')
    AND ts < getvariable('last_day') + INTERVAL 1 DAY
    AND id IN (SELECT id FROM new_questions);

-- The condition on times lets DuckDB skip most of the table.
DELETE FROM questions
WHERE
    ts >= getvariable('first_day')
    AND ts < getvariable('last_day') + INTERVAL 1 DAY
    AND id IN (SELECT id FROM new_questions);

INSERT INTO touched SELECT session_id FROM new_questions;

DROP TABLE temp.days;
