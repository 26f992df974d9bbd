-- What the batches say about each question they touch.
CREATE OR REPLACE TEMP TABLE delta AS
WITH brought AS (
    SELECT rowid AS row_number, * FROM events WHERE batch BETWEEN ? AND ?
)
SELECT
    delta_rows.tool_use_id,
    delta_rows.question_index,
    delta_rows.described_by,
    described.question_count,
    described.session_id,
    described.session_kind,
    described.project,
    described.tool_name,
    described.question_key,
    described.key_source,
    described.question,
    described.header,
    described.options,
    described.recommended,
    described.multi_select,
    described.door,
    described.door_reason,
    described.skill,
    asked.ts AS asked_at,
    auto_decided.ts AS auto_decided_at,
    answered.ts AS answered_at,
    dismissed.ts AS dismissed_at,
    failed.ts AS failed_at,
    asked.ask_reason,
    answered.answer,
    answered.free_text,
    answered.notes,
    answered.answer_name,
    answered.was_auto_decided,
    answered.followed_recommendation,
    auto_decided.answer AS auto_answer,
    auto_decided.answer_name AS auto_answer_name,
    auto_decided.preference,
    auto_decided.preference_scope,
    auto_decided.mechanism,
    dismissed.reason,
    failed.error_kind,
    failed.error
FROM delta_rows
JOIN brought AS described ON described.row_number = delta_rows.described_row
LEFT JOIN brought AS asked
    ON asked.row_number = delta_rows.asked_row AND asked.kind = 'asked'
LEFT JOIN brought AS answered
    ON answered.row_number = delta_rows.answered_row AND answered.kind = 'answered'
LEFT JOIN brought AS auto_decided
    ON auto_decided.row_number = delta_rows.auto_decided_row
    AND auto_decided.kind = 'auto_decided'
LEFT JOIN brought AS dismissed
    ON dismissed.row_number = delta_rows.dismissed_row AND dismissed.kind = 'dismissed'
LEFT JOIN brought AS failed
    ON failed.row_number = delta_rows.failed_row AND failed.kind = 'failed';
