-- How often each question that a person answered at least $1 times in one project was asked in the four
-- weeks before it was last asked, that time included, answered by whomever: project, key, times.
WITH frequent AS MATERIALIZED (
    SELECT
        hash(project, question_key) AS habit,
        max(day) FILTER (session_kind = 'interactive') AS last_day
    FROM questions
    GROUP BY habit
    HAVING count(*) FILTER (session_kind = 'interactive' AND outcome = 'answered') >= $1
)
SELECT any_value(project), any_value(question_key), count(*)::UBIGINT AS times
FROM questions
JOIN frequent ON frequent.habit = hash(project, question_key)
WHERE day > last_day - 28
GROUP BY habit;
