-- The questions of incoming numbers, as they were.
SELECT
    number, (day - DATE '1970-01-01')::INTEGER, series, scope, session, context, wording,
    described_by, question_index, question_count, is_one_way, outcome,
    epoch_us(asked_at), epoch_us(auto_decided_at), epoch_us(answered_at), epoch_us(dismissed_at),
    epoch_us(failed_at), asked, auto_decided, answered, dismissed, failed,
    was_auto_decided, followed_recommendation, tie
FROM question_facts
WHERE number IN (SELECT number FROM incoming_numbers());
