-- Under which permission modes the calls of some days ran, the most frequent mode first; without one, where no event
-- says.
-- $1 first day, $2 last day, $3 project or NULL.
WITH counted AS (
    SELECT permission_mode AS mode, 1 AS asked, 0 AS ran, 0 AS denied
    FROM permission_prompts
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
    UNION ALL
    SELECT
        permission_mode,
        0,
        CASE kind WHEN 'permission_auto' THEN coalesce(calls, 0) ELSE 0 END,
        CASE kind WHEN 'permission_denied' THEN 1 ELSE 0 END
    FROM permission_events
    WHERE
        kind IN ('permission_auto', 'permission_denied')
        AND day BETWEEN $1::DATE AND $2::DATE
        AND ($3::VARCHAR IS NULL OR project = $3)
)
SELECT mode, sum(asked)::UBIGINT AS asked, sum(ran)::UBIGINT AS ran, sum(denied)::UBIGINT AS denied
FROM counted
GROUP BY mode
ORDER BY sum(asked + ran + denied) DESC, mode;
