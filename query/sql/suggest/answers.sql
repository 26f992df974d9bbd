-- The latest forty answers of a person's to each question they answered at least $1 times in one
-- project, and the latest $2 answers to questions that they answered less often under a key that may
-- belong to others: unmarked ones, and those that a rule names (keys $3, with commas between them).
WITH with_a_person AS (
    SELECT series, question_key
    FROM series JOIN scopes USING (scope)
    WHERE session_kind = 'interactive'
),
counted AS (
    SELECT series, count(*) AS answers
    FROM recent_answers SEMI JOIN with_a_person USING (series)
    GROUP BY series
),
scattered AS (
    SELECT series
    FROM counted JOIN with_a_person USING (series)
    WHERE
        answers < $1
        AND (
            starts_with(question_key, 'fp-')
            OR starts_with(question_key, 'fam-')
            OR question_key IN (SELECT unnest(string_split($3, ',')))
        )
),
loose AS (
    SELECT * FROM recent_answers SEMI JOIN scattered USING (series)
    ORDER BY moment DESC, series
    LIMIT $2
),
wanted AS (
    SELECT * FROM recent_answers SEMI JOIN (FROM counted WHERE answers >= $1) USING (series)
    UNION ALL
    FROM loose
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
FROM wanted AS answers
JOIN contexts ON contexts.number = answers.context
JOIN wordings ON wordings.number = answers.wording
JOIN forms ON forms.number = wordings.form
LEFT JOIN details ON details.number = answers.answered;
