-- How often each question that a person answered at least $1 times in one project was put in the
-- four weeks before it was last put, that time included: project, key, times.
WITH answered AS (
    SELECT project, question_key, max(day) AS last_day
    FROM daily
    WHERE session_kind = 'interactive'
    GROUP BY project, question_key
    HAVING sum(answered) >= $1
)
SELECT project, question_key, CAST(sum(asked + auto_decided) AS UBIGINT)
FROM daily JOIN answered USING (project, question_key)
WHERE day > last_day - 28
GROUP BY project, question_key;
