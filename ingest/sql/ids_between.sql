-- What may be met again, the ids of events and of questions, as far as their first halves lie in a range.
SELECT hi, lo FROM event_ids WHERE hi BETWEEN $1 AND $2
UNION ALL
SELECT hi, lo FROM question_ids WHERE hi BETWEEN $1 AND $2;
