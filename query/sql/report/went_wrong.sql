-- How often the hook itself failed, and how many lines could not become events; and, to save the report queries
-- of their own, whether anything about permissions was ever logged, and when the first approval was.
-- $1 first day, $2 last day, $3 project or NULL (a line that is no event has none).
SELECT
    (
        SELECT count(*)
        FROM hook_errors
        WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
    )::UBIGINT AS hook_errors,
    (SELECT count(*) FROM quarantine WHERE day BETWEEN $1::DATE AND $2::DATE)::UBIGINT AS quarantined,
    EXISTS (SELECT 1 FROM permission_events) AS has_permissions,
    (
        SELECT min(ts) FROM permission_events WHERE kind = 'permission_granted'
    ) AS approvals_known_since;
