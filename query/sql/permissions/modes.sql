-- Under which permission modes the calls of some days ran, the most frequent mode first; without one, where no event
-- says.
-- Reads the variable `prompts`.
WITH counted AS (
    SELECT permission_mode AS mode, 1 AS asked, 0 AS ran, 0 AS denied
    FROM permission_prompts
    WHERE
        day BETWEEN getvariable('prompts').first_day AND getvariable('prompts').last_day
        AND (getvariable('prompts').project IS NULL OR project = getvariable('prompts').project)
    UNION ALL
    SELECT
        permission_mode,
        0,
        CASE kind WHEN 'permission_auto' THEN coalesce(calls, 0) ELSE 0 END,
        CASE kind WHEN 'permission_denied' THEN 1 ELSE 0 END
    FROM permission_events
    WHERE
        kind IN ('permission_auto', 'permission_denied')
        AND day BETWEEN getvariable('prompts').first_day AND getvariable('prompts').last_day
        AND (getvariable('prompts').project IS NULL OR project = getvariable('prompts').project)
)
SELECT mode, sum(asked)::UBIGINT AS asked, sum(ran)::UBIGINT AS ran, sum(denied)::UBIGINT AS denied
FROM counted
GROUP BY mode
ORDER BY sum(asked + ran + denied) DESC, mode;
