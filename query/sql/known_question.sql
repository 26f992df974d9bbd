-- The last asking of the question $1, in the project $2 if it was ever put there: key source,
-- text, header, options, and why it was one-way if it was.
WITH last_put AS (
    SELECT wording, facts.is_one_way
    FROM question_facts AS facts
    JOIN series USING (series)
    JOIN scopes ON scopes.scope = series.scope
    WHERE question_key = $1
    ORDER BY project = $2 DESC NULLS LAST, put_at DESC, question_index DESC, wording DESC
    LIMIT 1
)
SELECT
    coalesce(forms.key_source, 'fingerprint'),
    coalesce(wordings.question, ''),
    forms.header,
    forms.options,
    CASE WHEN last_put.is_one_way THEN coalesce(forms.door_reason, 'as logged') END
FROM last_put
JOIN wordings ON wordings.number = last_put.wording
JOIN forms ON forms.number = wordings.form;
