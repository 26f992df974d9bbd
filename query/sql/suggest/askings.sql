-- How often each question that a person answered at least $1 times in one project was put in the
-- four weeks before it was last put, that time included: project, key, times.
WITH named AS (
    SELECT series, project, question_key, session_kind,
        dense_rank() OVER (ORDER BY project, question_key) AS number
    FROM series JOIN scopes USING (scope)
),
answered AS (
    SELECT number, max(day) AS last_day
    FROM daily_facts JOIN named USING (series)
    WHERE session_kind = 'interactive'
    GROUP BY number
    HAVING sum(answered) >= $1
),
counted AS (
    SELECT number, CAST(sum(asked + auto_decided) AS UBIGINT) AS times
    FROM daily_facts
    JOIN named USING (series)
    JOIN answered USING (number)
    WHERE day > last_day - 28
    GROUP BY number
)
SELECT DISTINCT project, question_key, times FROM counted JOIN named USING (number);
