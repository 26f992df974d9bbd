-- The seconds of the person's latest forty answers to a question in a project, by question; -1 for an
-- answer whose seconds are not known, or that they were away for (an aggregate would leave NULL out).
-- $1 question keys with commas between them, $2 the first day to look at, NULL for all.
SELECT
    any_value(project) AS project,
    any_value(question_key) AS question_key,
    -- Of equal times, digits of the id decide.
    max_by(
        coalesce(answering_seconds(human_seconds, question_count), -1), epoch_us(ts) + (id % 1000)::BIGINT, 40
    ) AS seconds
FROM questions
WHERE
    outcome = 'answered' AND was_auto_decided IS NOT true
    AND question_key IN (SELECT unnest(string_split($1, ',')))
    AND ($2::DATE IS NULL OR day >= $2)
GROUP BY hash(project, question_key);
