-- The period's sessions and questions by session kind.
-- $1 first day, $2 last day, $3 project or NULL, $4 the first day whose open questions may still be
-- answered.
WITH counted AS (
    SELECT
        session_kind,
        sum(answered)                                        AS answered,
        sum(auto_decided)                                    AS auto_decided,
        sum(failed)                                          AS failed,
        sum(dismissed)
            + coalesce(sum(open) FILTER (day < $4::DATE), 0) AS dismissed,
        sum(answered + failed + dismissed + open)            AS asked
    FROM daily_facts
    JOIN series USING (series)
    JOIN scopes USING (scope)
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
    GROUP BY session_kind
),
seen AS (
    SELECT session_kind, count(DISTINCT session) AS sessions
    FROM daily_session_facts
    JOIN scopes USING (scope)
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
    GROUP BY session_kind
)
SELECT
    session_kind,
    coalesce(sessions, 0)     AS sessions,
    coalesce(asked, 0)        AS asked,
    coalesce(answered, 0)     AS answered,
    coalesce(auto_decided, 0) AS auto_decided,
    coalesce(failed, 0)       AS failed,
    coalesce(dismissed, 0)    AS dismissed
FROM counted FULL JOIN seen USING (session_kind)
ORDER BY asked + auto_decided DESC, session_kind;
