-- Every prompt for permission, with how it was decided; the earliest first.
SELECT
    ts,
    day,
    project,
    cwd,
    session_id,
    session_kind::VARCHAR,
    permission_mode,
    tool_name,
    coalesce(input, ''),
    outcome,
    reason,
    waited_seconds,
    source
FROM permission_prompts
WHERE tool_name IS NOT NULL
ORDER BY ts, id;
