-- The permission mode of most of the person's own sessions in the four weeks before the last prompt or call.
SELECT permission_mode
FROM permission_events
WHERE
    session_kind = 'interactive'
    AND agent IS NULL
    AND permission_mode IS NOT NULL
    AND day > (SELECT max(day) FROM permission_events) - 28
GROUP BY permission_mode
ORDER BY count(DISTINCT session_id) DESC, permission_mode
LIMIT 1;
