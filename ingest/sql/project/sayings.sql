-- The log's events of batches $1 to $2, as far as the projections know them.
SELECT
    details.kind, epoch_us(log.ts), log.context, log.wording, log.detail,
    contexts.session_id, contexts.session_kind, contexts.project,
    wordings.tool_use_id, wordings.question_index, forms.question_count, forms.question_key,
    coalesce(forms.door = 'one-way', false),
    details.was_auto_decided, details.followed_recommendation, details.answer_name
FROM log
JOIN contexts ON contexts.number = log.context
JOIN wordings ON wordings.number = log.wording
JOIN forms ON forms.number = wordings.form
JOIN details ON details.number = log.detail
WHERE log.batch BETWEEN ? AND ?;
