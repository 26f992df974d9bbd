-- What the preferences' answers spared the person in two neighbouring periods, one row each: each
-- answer counts the median of the person's own seconds for its key, over the latest forty answers of a
-- project and session kind: in its project, else in every project, else over every key, else 0.
-- $1 first day of both, $2 last day of both, $3 first day of the current one, $4 project or NULL.
WITH named AS (
    -- Numbered, because grouping by a number is cheaper than by two texts. Session kinds do not count.
    SELECT
        series,
        project,
        question_key,
        dense_rank() OVER (ORDER BY project, question_key) AS number,
        dense_rank() OVER (ORDER BY question_key) AS key_number
    FROM series JOIN scopes USING (scope)
),
decided AS (
    SELECT day >= $3::DATE AS is_current, number, key_number, sum(auto_decided) AS times
    FROM daily_facts JOIN named USING (series)
    WHERE
        day BETWEEN $1::DATE AND $2::DATE
        AND auto_decided > 0
        AND ($4::VARCHAR IS NULL OR project = $4)
    GROUP BY is_current, number, key_number
),
in_project AS (
    SELECT named.number, median(human_seconds) AS seconds
    FROM recent_answers JOIN named USING (series)
    WHERE human_seconds IS NOT NULL
    GROUP BY named.number
),
beyond_project AS (
    SELECT * FROM decided ANTI JOIN in_project USING (number)
),
anywhere AS (
    SELECT key_number, median(human_seconds) AS seconds
    FROM recent_answers JOIN named USING (series)
    WHERE human_seconds IS NOT NULL
    GROUP BY key_number
),
beyond_key AS (
    SELECT * FROM beyond_project ANTI JOIN anywhere USING (key_number)
),
overall AS (
    SELECT median(human_seconds) AS seconds FROM recent_answers
),
spared AS (
    SELECT is_current, times * seconds AS seconds
    FROM decided JOIN in_project USING (number)
    UNION ALL
    SELECT is_current, times * seconds
    FROM beyond_project JOIN anywhere USING (key_number)
    UNION ALL
    SELECT is_current, times * coalesce(seconds, 0)
    FROM beyond_key, overall
)
SELECT is_current, round(sum(seconds), 3) AS seconds FROM spared GROUP BY is_current;
