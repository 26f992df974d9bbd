INSERT INTO question_days
SELECT (id >> 32)::UINTEGER AS id_start, ts::DATE
FROM questions
WHERE rowid >= getvariable('first_question')
ORDER BY id_start;
