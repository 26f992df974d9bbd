-- Prompts for permission, the latest first.
-- $1 the id of a prompt or of a call, or NULL, $2 subject or NULL, $3 tool or NULL, $4 project or NULL, $5 first day or
-- NULL, $6 last day or NULL, $7 how many.
SELECT
    replace(id::VARCHAR, '-', '') AS id,
    tool_use_id,
    ts AS at,
    day,
    project,
    cwd,
    session_id,
    session_kind::VARCHAR AS session_kind,
    (
        SELECT coalesce(any_value(agent), 'claude-code')
        FROM permission_events
        WHERE permission_events.id = permission_prompts.id
    ) AS agent,
    permission_mode,
    agent_id,
    skill,
    source,
    coalesce(tool_name, '?') AS tool,
    coalesce(subject, tool_name, '?') AS subject,
    reach,
    input,
    suggestions,
    asked_at,
    decided_at,
    outcome,
    "grant",
    waited_seconds,
    reason,
    free_text
FROM permission_prompts
WHERE
    ($1::VARCHAR IS NULL OR replace(id::VARCHAR, '-', '') = $1 OR tool_use_id = $1)
    AND ($2::VARCHAR IS NULL OR coalesce(subject, tool_name, '?') = $2)
    AND ($3::VARCHAR IS NULL OR coalesce(tool_name, '?') = $3)
    AND ($4::VARCHAR IS NULL OR project = $4)
    AND ($5::DATE IS NULL OR day >= $5)
    AND ($6::DATE IS NULL OR day <= $6)
ORDER BY permission_prompts.ts DESC, permission_prompts.id DESC
LIMIT $7;
