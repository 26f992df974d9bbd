-- Every prompt for permission of one agent, with how it was decided; the earliest first. How long it waited is not said where
-- the person was away. Those of the future are left out. Reads the variable `today`.
SELECT
    ts AS at,
    day,
    project,
    cwd,
    session_id,
    session_kind::VARCHAR AS session_kind,
    permission_mode,
    tool_name,
    skill,
    coalesce(input, '') AS input,
    if(outcome = 'refused' AND reason = 'nobody', 'nobody', outcome) AS outcome,
    CASE WHEN NOT is_away(waited_seconds) THEN waited_seconds END AS waited_seconds,
    starts_with(source, 'import') AS is_imported
FROM permission_prompts
WHERE
    tool_name IS NOT NULL
    AND agent IS NOT DISTINCT FROM $1::VARCHAR
    AND day <= getvariable('today')
ORDER BY ts, id;
