-- The latest forty answers of a person's to each question they answered at least $1 times in one
-- project.
WITH wanted AS (
    SELECT series
    FROM recent_answers
    SEMI JOIN (
        SELECT series FROM series JOIN scopes USING (scope) WHERE session_kind = 'interactive'
    ) AS with_a_person USING (series)
    GROUP BY series
    HAVING count(*) >= $1
)
SELECT
    contexts.project,
    forms.question_key,
    coalesce(forms.key_source, 'fingerprint'),
    answers.put_at,
    answers.day,
    contexts.session_id,
    answers.question_index,
    coalesce(wordings.question, ''),
    forms.header,
    forms.options,
    forms.recommended,
    coalesce(forms.multi_select, false),
    CASE WHEN answers.is_one_way THEN coalesce(forms.door_reason, 'as logged') END,
    details.answer,
    details.free_text IS NOT NULL OR details.notes IS NOT NULL,
    answers.human_seconds
FROM recent_answers AS answers
SEMI JOIN wanted USING (series)
JOIN contexts ON contexts.number = answers.context
JOIN wordings ON wordings.number = answers.wording
JOIN forms ON forms.number = wordings.form
LEFT JOIN details ON details.number = answers.answered;
