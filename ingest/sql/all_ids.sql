-- Everything that may be met again: the ids of events, and of questions.
SELECT hi, lo FROM event_ids UNION ALL SELECT hi, lo FROM question_ids;
