-- Prompts for permission: the events permission_asked, permission_granted, permission_refused,
-- permission_denied and permission_auto, a row each.
CREATE TYPE permission_kind AS ENUM (
    'permission_asked', 'permission_granted', 'permission_refused', 'permission_denied', 'permission_auto'
);

CREATE TABLE permission_events (
    id              UUID NOT NULL,
    kind            permission_kind NOT NULL,
    ts              TIMESTAMP NOT NULL,
    day             DATE NOT NULL,
    project         VARCHAR NOT NULL,
    cwd             VARCHAR NOT NULL,
    session_id      VARCHAR NOT NULL,
    session_kind    session_kind NOT NULL,
    -- 'hook', or what it was imported from
    source          VARCHAR NOT NULL,
    entrypoint      VARCHAR,
    permission_mode VARCHAR,
    -- the sub-agent that called the tool
    agent_id        VARCHAR,
    skill           VARCHAR,
    tool_name       VARCHAR,
    -- of decisions; a prompt does not say which call it is about
    tool_use_id     VARCHAR,
    mcp_server      VARCHAR,
    -- what makes prompts the same, and how far the call reaches (reads, project, unknown, beyond)
    subject         VARCHAR,
    reach           VARCHAR,
    -- the command, path, URL or query, without secrets and at most 2 KB of it
    input           VARCHAR,
    -- hash of the whole input, which a decision shares with its prompt
    input_digest    VARCHAR,
    -- JSON array: the rules that the dialog offered
    suggestions     VARCHAR,
    -- the transcript of the session
    transcript      VARCHAR,
    -- of decisions: the prompt that they are about, where it is known
    asked_id        VARCHAR,
    -- of permission_granted: 'once', 'session' or 'always'
    "grant"         VARCHAR,
    waited_seconds  DOUBLE,
    -- true where concurrent calls cannot be distinguished
    ambiguous       BOOLEAN,
    -- why it was refused or denied, and the words that the person typed
    reason          VARCHAR,
    free_text       VARCHAR,
    -- of permission_auto: how many calls
    calls           UINTEGER
);

-- How far transcripts were read that say how prompts were decided. A store that is computed again has none, and
-- reads them again: what they say has the same ids.
CREATE TABLE transcripts (
    path        VARCHAR NOT NULL,
    -- of the file when it was read
    length      UBIGINT NOT NULL,
    modified_ns BIGINT NOT NULL,
    -- JSON: the offset, a hash of what stands before, and what was left to know there
    mark        VARCHAR NOT NULL
);

-- One row a prompt for permission that a person saw: what was asked, and how it was decided as far as it is
-- known. Decisions of transcripts whose prompts no hook logged are rows, too.
CREATE VIEW permission_prompts AS
WITH
decided AS (FROM permission_events WHERE kind IN ('permission_granted', 'permission_refused')),
-- A hook that is registered twice logs a prompt twice; one of them is joined to the decision.
prompts AS (
    SELECT
        *,
        ts - lag(ts) OVER (
            PARTITION BY session_id, agent_id, tool_name, input_digest
            ORDER BY ts, id
        ) <= INTERVAL 2 SECONDS AS is_again
    FROM permission_events
    WHERE kind = 'permission_asked'
),
asked AS (
    FROM prompts
    WHERE
        is_again IS NOT TRUE
        OR replace(id::VARCHAR, '-', '') IN (SELECT asked_id FROM decided)
)
SELECT
    coalesce(asked.id, decided.id) AS id,
    coalesce(asked.ts, decided.ts) AS ts,
    coalesce(asked.day, decided.day) AS day,
    coalesce(asked.project, decided.project) AS project,
    coalesce(asked.cwd, decided.cwd) AS cwd,
    coalesce(asked.session_id, decided.session_id) AS session_id,
    coalesce(asked.session_kind, decided.session_kind) AS session_kind,
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
    asked.ts AS asked_at,
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
FULL JOIN decided ON decided.asked_id = replace(asked.id::VARCHAR, '-', '');
