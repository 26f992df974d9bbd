-- The latest forty answers of a person's to each question they answered at least $1 times in one
-- project. They are found in the narrow table first, and described afterwards.
WITH latest AS (
    SELECT unnest(arg_max(number, put_at, 40)) AS number
    FROM question_facts
    SEMI JOIN (
        SELECT series FROM series JOIN scopes USING (scope) WHERE session_kind = 'interactive'
    ) AS wanted USING (series)
    WHERE outcome = 1 AND was_auto_decided IS NOT true
    GROUP BY series
    HAVING count(*) >= $1
)
SELECT
    contexts.project,
    forms.question_key,
    coalesce(forms.key_source, 'fingerprint'),
    facts.put_at,
    facts.day,
    contexts.session_id,
    facts.question_index,
    coalesce(wordings.question, ''),
    forms.header,
    forms.options,
    forms.recommended,
    coalesce(forms.multi_select, false),
    CASE WHEN facts.is_one_way THEN coalesce(forms.door_reason, 'as logged') END,
    details.answer,
    details.free_text IS NOT NULL OR details.notes IS NOT NULL,
    facts.human_seconds
FROM question_facts AS facts
JOIN contexts ON contexts.number = facts.context
JOIN wordings ON wordings.number = facts.wording
JOIN forms ON forms.number = wordings.form
LEFT JOIN details ON details.number = facts.answered
WHERE facts.number IN (SELECT number FROM latest);
