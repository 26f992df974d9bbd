-- The keys of questions that were one-way or took several labels, ever and on any machine: never a starter.
SELECT DISTINCT question_key
FROM each_event
WHERE question_key IS NOT NULL AND (door = 'one-way' OR multi_select)
