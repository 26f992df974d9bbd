-- Every question that was put to a person, in the order of time: the columns of
-- `suggest/answers.sql`, then its call, and when it was answered, NULL for what was not.
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
    facts.human_seconds,
    coalesce(wordings.tool_use_id, ''),
    CASE WHEN facts.outcome = 1 THEN coalesce(facts.answered_at, facts.put_at) END
FROM question_facts AS facts
JOIN contexts ON contexts.number = facts.context
JOIN wordings ON wordings.number = facts.wording
JOIN forms ON forms.number = wordings.form
LEFT JOIN details ON details.number = facts.answered
WHERE
    contexts.session_kind = 'interactive'
    AND facts.outcome <> 2
    AND coalesce(NOT facts.was_auto_decided, true)
    AND forms.question_key IS NOT NULL
    AND ($1::VARCHAR IS NULL OR contexts.project = $1)
ORDER BY facts.put_at, wordings.tool_use_id, facts.question_index, facts.tie;
