-- The calls of some days that nobody was asked about, in the columns of prompts.sql, the earliest first: those that
-- were denied one by one, those that ran as one row a turn that had any.
-- $1 first day, $2 last day, $3 project or NULL.
SELECT
    replace(id::VARCHAR, '-', '') AS prompt_id,
    tool_use_id,
    ts,
    day,
    project,
    cwd,
    session_id,
    session_kind::VARCHAR AS session_kind,
    permission_mode,
    agent_id,
    skill,
    source,
    coalesce(tool_name, '?') AS tool,
    coalesce(subject, tool_name, '?') AS subject,
    reach,
    input,
    suggestions,
    NULL::TIMESTAMP AS asked_at,
    ts AS decided_at,
    CASE kind WHEN 'permission_denied' THEN 'denied' ELSE 'ran' END AS outcome,
    "grant",
    waited_seconds,
    reason,
    free_text,
    CASE kind WHEN 'permission_denied' THEN 1 ELSE coalesce(calls, 0) END::UBIGINT AS calls
FROM permission_events
WHERE
    kind IN ('permission_denied', 'permission_auto')
    AND day BETWEEN $1::DATE AND $2::DATE
    AND ($3::VARCHAR IS NULL OR project = $3)
ORDER BY ts, prompt_id;
