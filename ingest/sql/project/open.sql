-- The questions that were open in sessions that went on.
SELECT
    number, (day - DATE '1970-01-01')::INTEGER, series, scope, session, context, wording,
    described_by, question_index, question_count, is_one_way, outcome,
    epoch_us(asked_at), epoch_us(auto_decided_at), epoch_us(answered_at), epoch_us(dismissed_at),
    epoch_us(failed_at), asked, auto_decided, answered, dismissed, failed,
    was_auto_decided, followed_recommendation, tie
FROM question_facts
WHERE outcome = 0 AND session IN (SELECT key FROM incoming_keys());
