-- What the preferences' answers spared the person in two neighbouring periods, one row each: each
-- answer counts the median of the person's own seconds for its key, over all history: in its project,
-- else in every project, else over every key, else 0. The wider medians are computed only for what
-- the narrower one leaves out.
-- $1 first day of both, $2 last day of both, $3 first day of the current one, $4 project or NULL.
WITH decided AS (
    SELECT day >= $3::DATE AS is_current, project, question_key, sum(auto_decided) AS times
    FROM daily
    WHERE
        day BETWEEN $1::DATE AND $2::DATE
        AND auto_decided > 0
        AND ($4::VARCHAR IS NULL OR project = $4)
    GROUP BY is_current, project, question_key
),
-- Numbered, because grouping history by a number is cheaper than by two texts.
keys AS (
    SELECT project, question_key, row_number() OVER () AS number
    FROM (SELECT DISTINCT project, question_key FROM decided)
),
in_project AS (
    SELECT project, question_key, seconds
    FROM keys
    JOIN (
        SELECT number, median(seconds) AS seconds
        FROM (
            SELECT number, unnest(human_seconds) AS seconds
            FROM daily JOIN keys USING (project, question_key)
        )
        GROUP BY number
    ) USING (number)
),
beyond_project AS (
    SELECT * FROM decided ANTI JOIN in_project USING (project, question_key)
),
anywhere AS (
    SELECT question_key, median(seconds) AS seconds
    FROM (
        SELECT question_key, unnest(human_seconds) AS seconds
        FROM daily SEMI JOIN beyond_project USING (question_key)
    )
    GROUP BY question_key
),
beyond_key AS (
    SELECT * FROM beyond_project ANTI JOIN anywhere USING (question_key)
),
overall AS (
    SELECT median(seconds) AS seconds
    FROM (SELECT unnest(human_seconds) AS seconds FROM daily WHERE EXISTS (FROM beyond_key))
),
spared AS (
    SELECT is_current, times * seconds AS seconds
    FROM decided JOIN in_project USING (project, question_key)
    UNION ALL
    SELECT is_current, times * seconds
    FROM beyond_project JOIN anywhere USING (question_key)
    UNION ALL
    SELECT is_current, times * coalesce(seconds, 0)
    FROM beyond_key, overall
)
SELECT is_current, round(sum(seconds), 3) AS seconds FROM spared GROUP BY is_current;
