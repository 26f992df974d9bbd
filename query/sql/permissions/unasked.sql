-- The calls that were denied, and those that ran, without anybody being asked. Reads the variable `prompts`.
SELECT
    count(*) FILTER (kind = 'permission_denied') AS denied,
    coalesce(sum(calls) FILTER (kind = 'permission_auto'), 0)::UBIGINT AS auto_calls
FROM permission_events
WHERE
    kind IN ('permission_denied', 'permission_auto')
    AND day BETWEEN getvariable('prompts').first_day AND getvariable('prompts').last_day
    AND (getvariable('prompts').project IS NULL OR project = getvariable('prompts').project);
