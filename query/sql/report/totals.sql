-- The sums of two neighbouring periods, one row each; a period without questions has no row.
-- $1 first day of both, $2 last day of both, $3 first day of the current one, $4 project or NULL,
-- $5 the first day whose open questions may still be answered.
WITH wanted AS (
    SELECT series FROM series JOIN scopes USING (scope) WHERE $4::VARCHAR IS NULL OR project = $4
),
counted AS (
    SELECT
        day >= $3::DATE                                        AS is_current,
        sum(answered)                                          AS answered,
        sum(auto_decided)                                      AS auto_decided,
        sum(failed)                                            AS failed,
        sum(dismissed)                                         AS dismissed,
        coalesce(sum(open) FILTER (day < $5::DATE), 0)         AS lapsed,
        coalesce(sum(open) FILTER (day >= $5::DATE), 0)        AS open,
        sum(calls)                                             AS calls,
        coalesce(sum(list_sum(human_seconds)), 0)              AS human_seconds
    FROM daily_facts SEMI JOIN wanted USING (series)
    WHERE day BETWEEN $1::DATE AND $2::DATE
    GROUP BY is_current
),
seen AS (
    SELECT day >= $3::DATE AS is_current, count(DISTINCT session) AS sessions
    FROM daily_session_facts JOIN scopes USING (scope)
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ($4::VARCHAR IS NULL OR project = $4)
    GROUP BY is_current
)
SELECT
    is_current,
    answered,
    auto_decided,
    failed,
    dismissed + lapsed AS dismissed,
    open,
    calls,
    coalesce(sessions, 0) AS sessions,
    round(human_seconds, 3) AS human_seconds
FROM counted LEFT JOIN seen USING (is_current);
