-- What the person took back with `plantune undo`, in the columns of answers.sql: an answer with no
-- label and more to say, which no policy would have given. The log is read only when there is one.
WITH undone AS (
    SELECT number FROM details WHERE kind = 'preference_changed' AND reason = 'undo'
)
SELECT
    contexts.project,
    forms.question_key,
    coalesce(forms.key_source, 'fingerprint'),
    log.ts,
    (timezone(coalesce(nullif(settings.value, ''), 'UTC'), timezone('UTC', log.ts)))::DATE,
    contexts.session_id,
    coalesce(wordings.question_index, 0),
    coalesce(wordings.question, ''),
    forms.header,
    forms.options,
    forms.recommended,
    coalesce(forms.multi_select, false),
    NULL::VARCHAR,
    NULL::VARCHAR[],
    true,
    NULL::DOUBLE
FROM log
JOIN undone ON undone.number = log.detail
JOIN contexts ON contexts.number = log.context
JOIN wordings ON wordings.number = log.wording
JOIN forms ON forms.number = wordings.form
LEFT JOIN settings ON settings.name = 'time_zone'
WHERE forms.question_key IS NOT NULL;
