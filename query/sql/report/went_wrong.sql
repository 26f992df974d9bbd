-- How often the hook itself failed, and how many lines could not become events.
-- $1 first day, $2 last day, $3 project or NULL (a line that is no event has none).
SELECT
    (
        SELECT count(*)
        FROM hook_errors
        WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
    )::UBIGINT AS hook_errors,
    (SELECT count(*) FROM quarantine WHERE day BETWEEN $1::DATE AND $2::DATE)::UBIGINT AS quarantined;
