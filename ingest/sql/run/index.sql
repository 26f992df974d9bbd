-- Notes by what the questions of this run are found later, and that there was one.
INSERT INTO question_days
SELECT (id >> 32)::UINTEGER AS id_start, ts::DATE
FROM {questions}
ORDER BY id_start;

INSERT INTO endless_questions SELECT session_id, ts FROM {questions} WHERE outcome = 'open'::outcome;

INSERT INTO runs VALUES (now() AT TIME ZONE 'UTC');
