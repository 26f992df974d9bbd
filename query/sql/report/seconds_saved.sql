-- What the preferences' answers spared the person in two neighbouring periods, one row each: each
-- answer counts the median of the person's own seconds for its key, on the latest forty days on which
-- they answered it: in its project, else in every project, else over every key, else 0. The wider
-- medians are computed only for what the narrower one leaves out.
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
    SELECT number, median(seconds) AS seconds
    FROM (
        SELECT number, unnest(flatten(arg_max(human_seconds, day, 40))) AS seconds
        FROM daily_facts
        JOIN (SELECT series, number FROM named SEMI JOIN decided USING (number)) AS wanted USING (series)
        WHERE answered > 0
        GROUP BY number
    )
    GROUP BY number
),
beyond_project AS (
    SELECT * FROM decided ANTI JOIN in_project USING (number)
),
anywhere AS (
    SELECT key_number, median(seconds) AS seconds
    FROM (
        SELECT key_number, unnest(flatten(arg_max(human_seconds, day, 40))) AS seconds
        FROM daily_facts
        JOIN (SELECT series, key_number FROM named SEMI JOIN beyond_project USING (key_number)) AS wanted
            USING (series)
        WHERE answered > 0
        GROUP BY key_number
    )
    GROUP BY key_number
),
beyond_key AS (
    SELECT * FROM beyond_project ANTI JOIN anywhere USING (key_number)
),
overall AS (
    SELECT median(seconds) AS seconds
    FROM (SELECT unnest(human_seconds) AS seconds FROM daily_facts WHERE EXISTS (FROM beyond_key))
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
