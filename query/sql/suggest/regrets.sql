-- What the person took back with `plantune undo`, in the columns of answers.sql: an answer with no
-- label and more to say, which no policy would have given. There are few, if any: step by step, so that
-- no step keeps the texts of the whole log.
WITH undone AS MATERIALIZED (
    SELECT number FROM details WHERE kind = 'preference_changed' AND reason = 'undo'
),
regrets AS MATERIALIZED (
    SELECT log.* FROM log SEMI JOIN undone ON undone.number = log.detail
),
worded AS MATERIALIZED (
    SELECT wordings.* FROM wordings SEMI JOIN regrets ON regrets.wording = wordings.number
)
SELECT
    contexts.project,
    forms.question_key,
    coalesce(forms.key_source, 'fingerprint'),
    regrets.ts,
    (timezone(coalesce(nullif(settings.value, ''), 'UTC'), timezone('UTC', regrets.ts)))::DATE,
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
FROM regrets
JOIN contexts ON contexts.number = regrets.context
JOIN worded AS wordings ON wordings.number = regrets.wording
JOIN forms ON forms.number = wordings.form
LEFT JOIN settings ON settings.name = 'time_zone'
WHERE forms.question_key IS NOT NULL;
