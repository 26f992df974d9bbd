-- Of the questions with those ids: which events of theirs the store has.
SELECT
    tool_use_id,
    question_index,
    asked_at IS NOT NULL,
    auto_decided_at IS NOT NULL,
    answered_at IS NOT NULL,
    dismissed_at IS NOT NULL,
    failed_at IS NOT NULL
FROM questions
WHERE id IN (SELECT unnest(from_json(?, '["UBIGINT"]')));
