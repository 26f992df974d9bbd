-- Records in which days the questions of this run lie, so that a later run finds them; which of them have no end yet;
-- and that there was a run.
INSERT INTO question_days
SELECT (id >> 32)::UINTEGER AS id_start, ts::DATE
FROM {questions}
ORDER BY id_start;

INSERT INTO endless_questions SELECT session_id, ts FROM {questions} WHERE outcome = 'open'::outcome;

INSERT INTO runs VALUES (now() AT TIME ZONE 'UTC');
