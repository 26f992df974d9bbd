-- Every question by key and project, described as last put. $1 project or NULL.
WITH named AS (
    SELECT series, project, question_key
    FROM series JOIN scopes USING (scope)
    WHERE $1::VARCHAR IS NULL OR project = $1
),
counted AS (
    SELECT
        project,
        question_key,
        sum(answered + failed + dismissed + open)::UBIGINT AS asked,
        sum(answered)::UBIGINT AS answered,
        sum(auto_decided)::UBIGINT AS auto_decided,
        max(day) AS last_day,
        arg_max(wording, last_at) AS wording,
        bool_or(is_one_way) AS is_one_way
    FROM daily_facts JOIN named USING (series)
    GROUP BY project, question_key
)
SELECT
    project,
    counted.question_key,
    coalesce(forms.key_source, 'fingerprint'),
    coalesce(wordings.question, ''),
    forms.header,
    forms.options,
    asked,
    answered,
    auto_decided,
    last_day,
    is_one_way
FROM counted
JOIN wordings ON wordings.number = counted.wording
JOIN forms ON forms.number = wordings.form
ORDER BY project, counted.question_key;
