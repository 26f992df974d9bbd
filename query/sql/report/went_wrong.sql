-- How often the hook itself failed, and how many lines could not become events; and, to save the report queries
-- of their own, whether anything about permissions was ever logged, and when the first approval was.
-- Reads the variable `request` (a line that is no event has no project).
SELECT
    (
        SELECT count(*)
        FROM hook_errors
        WHERE
            day BETWEEN getvariable('request').first_day AND getvariable('request').last_day
            AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
    )::UBIGINT AS hook_errors,
    (
        SELECT count(*)
        FROM quarantine
        WHERE day BETWEEN getvariable('request').first_day AND getvariable('request').last_day
    )::UBIGINT AS quarantined,
    EXISTS (SELECT 1 FROM permission_events) AS has_permissions,
    (
        SELECT min(ts) FROM permission_events WHERE kind = 'permission_granted'
    ) AS approvals_known_since;
