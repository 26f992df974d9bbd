-- Puts the rows that the questions of this run had before among the new ones.
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

-- By the times, too: they are what DuckDB finds rows by.
DELETE FROM questions
WHERE
    ts >= getvariable('first_day')
    AND ts < getvariable('last_day') + INTERVAL 1 DAY
    AND id IN (SELECT id FROM new_questions);

INSERT INTO touched SELECT session_id FROM new_questions;

DROP TABLE temp.days;
