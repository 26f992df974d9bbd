-- Every question since the day $1 (all of them for NULL) that was asked although a preference for it stood, and what in
-- it was new to that.
SELECT
    project,
    question_key,
    ts AS asked_at,
    ask_detail AS detail
FROM questions
WHERE ask_reason = 'ambiguous' AND ask_detail IS NOT NULL AND ($1::DATE IS NULL OR day >= $1)
ORDER BY ts, question_index, id;
