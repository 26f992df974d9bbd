-- Every prompt for permission of one agent, with how it was decided; the earliest first. How long it waited is not said where
-- the person was away.
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
    CASE WHEN NOT is_away(waited_seconds) THEN waited_seconds END,
    source
FROM permission_prompts
SEMI JOIN (FROM permission_events WHERE agent IS NOT DISTINCT FROM ?) AS of_agent USING (id)
WHERE tool_name IS NOT NULL
ORDER BY ts, id;
