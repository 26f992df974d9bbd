-- When the call was made that a decision is about: its prompt came up then, where no hook saw it. The day of a decision
-- is that of the call.
ALTER TABLE permission_events ADD COLUMN called_at TIMESTAMP;

CREATE OR REPLACE MACRO prompts_of_days(first_day, last_day, of_project) AS TABLE
WITH
events AS (
    FROM permission_events
    WHERE
        kind IN ('permission_asked', 'permission_granted', 'permission_refused')
        AND (first_day IS NULL OR day BETWEEN first_day - 14 AND last_day + 14)
        AND (of_project IS NULL OR project = of_project)
),
decided AS (FROM events WHERE kind <> 'permission_asked'),
asked AS (
    SELECT
        *,
        replace(id::VARCHAR, '-', '') AS name,
        -- A hook that is registered twice logs a prompt twice; one of them is joined to the decision.
        ts - lag(ts) OVER (
            PARTITION BY session_id, agent_id, tool_name, input_digest
            ORDER BY ts, id
        ) <= INTERVAL 2 SECONDS AS is_again
    FROM events
    WHERE kind = 'permission_asked'
)
SELECT
    coalesce(asked.id, decided.id) AS id,
    coalesce(asked.ts, decided.called_at, decided.ts) AS ts,
    coalesce(asked.day, decided.day) AS day,
    coalesce(asked.project, decided.project) AS project,
    coalesce(asked.cwd, decided.cwd) AS cwd,
    coalesce(asked.session_id, decided.session_id) AS session_id,
    coalesce(asked.session_kind, decided.session_kind) AS session_kind,
    coalesce(asked.agent, decided.agent) AS agent,
    coalesce(asked.source, decided.source) AS source,
    coalesce(asked.entrypoint, decided.entrypoint) AS entrypoint,
    coalesce(asked.permission_mode, decided.permission_mode) AS permission_mode,
    coalesce(asked.agent_id, decided.agent_id) AS agent_id,
    coalesce(decided.skill, asked.skill) AS skill,
    coalesce(asked.tool_name, decided.tool_name) AS tool_name,
    decided.tool_use_id,
    coalesce(asked.mcp_server, decided.mcp_server) AS mcp_server,
    coalesce(asked.subject, decided.subject) AS subject,
    coalesce(asked.reach, decided.reach) AS reach,
    coalesce(asked.input, decided.input) AS input,
    coalesce(asked.suggestions, decided.suggestions) AS suggestions,
    coalesce(asked.ts, decided.called_at) AS asked_at,
    decided.ts AS decided_at,
    CASE
        WHEN decided.ambiguous THEN 'ambiguous'
        WHEN decided.kind = 'permission_granted' THEN 'granted'
        WHEN decided.kind = 'permission_refused' THEN 'refused'
        ELSE 'open'
    END AS outcome,
    decided."grant" AS "grant",
    decided.waited_seconds,
    decided.reason,
    decided.free_text
FROM asked
FULL JOIN decided ON decided.asked_id = asked.name
WHERE
    (decided.id IS NOT NULL OR is_again IS NOT true)
    -- Nobody saw a prompt that waited behind the one that was refused.
    AND decided.reason IS DISTINCT FROM 'cancelled'
    AND (first_day IS NULL OR coalesce(asked.day, decided.day) BETWEEN first_day AND last_day);
