-- How often preferences answered, by project, key and day, since the day $1 (ever for NULL). What was
-- answered or turned down by something else is left out; where the log knows of no such thing, the
-- facts are not read.
WITH others AS MATERIALIZED (
    SELECT number
    FROM details
    WHERE kind = 'auto_decided' AND preference IN ('reask', 'reviewer')
),
elsewise AS (
    SELECT day, series, count(*) AS times
    FROM question_facts AS facts
    SEMI JOIN others ON others.number = facts.auto_decided
    WHERE outcome = 2 AND ($1::DATE IS NULL OR day >= $1)
    GROUP BY day, series
)
SELECT
    project,
    question_key,
    day,
    sum(auto_decided - coalesce(elsewise.times, 0))::UBIGINT AS times
FROM daily_facts
JOIN series USING (series)
JOIN scopes USING (scope)
LEFT JOIN elsewise USING (day, series)
WHERE auto_decided > coalesce(elsewise.times, 0) AND ($1::DATE IS NULL OR day >= $1)
GROUP BY project, question_key, day;
