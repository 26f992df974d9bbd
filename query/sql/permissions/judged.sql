-- The prompts for permission that are asked for, each with what follows from others, as the table `judged_prompts`.
-- Reads the variable `prompts`.

-- How far a reach goes, by which the furthest one is found: `reach_named(max(reach_rank(reach)))`. A word that is not known
-- goes beyond.
CREATE OR REPLACE TEMP MACRO reach_rank(reach) AS
    CASE reach WHEN 'reads' THEN 1 WHEN 'project' THEN 2 WHEN 'unknown' THEN 3 ELSE if(reach IS NULL, NULL, 4) END;
CREATE OR REPLACE TEMP MACRO reach_named(rank) AS ['reads', 'project', 'unknown', 'beyond'][rank];

CREATE OR REPLACE TEMP TABLE judged_prompts AS
WITH
-- When "don't ask again" was chosen first, in a project and in a session.
given AS (
    SELECT
        "grant" AS chosen,
        if("grant" = 'always', project, session_id) AS place,
        coalesce(tool_name, '?') AS tool,
        coalesce(subject, tool_name, '?') AS subject,
        min(ts) AS at
    FROM permission_events
    WHERE
        kind = 'permission_granted'
        AND "grant" IN ('always', 'session')
        AND ambiguous IS NOT true
        AND (getvariable('prompts').project IS NULL OR project = getvariable('prompts').project)
    GROUP BY ALL
),
prompts AS (
    SELECT
        * REPLACE (
            coalesce(agent, 'claude-code') AS agent,
            coalesce(subject, tool_name, '?') AS subject
        ),
        coalesce(tool_name, '?') AS tool,
        -- Where no hook saw it, as long before its decision as it waited.
        coalesce(asked_at, ts - to_milliseconds((greatest(coalesce(waited_seconds, 0), 0) * 1000)::BIGINT)) AS shown_at
    FROM prompts_of_days(
        getvariable('prompts').first_day, getvariable('prompts').last_day, getvariable('prompts').project
    )
)
SELECT
    prompts.*,
    coalesce(is_away(waited_seconds), false) AS while_away,
    CASE WHEN always.at IS NOT NULL THEN 'always' WHEN of_session.at IS NOT NULL THEN 'session' END AS asked_again_after,
    coalesce(always.at, of_session.at) AS given_at,
    -- Nobody attended the agent.
    session_kind IN ('headless', 'spawned')
    OR outcome = 'refused' AND coalesce(reason = 'nobody', false)
    OR outcome = 'open' AND coalesce(day < getvariable('prompts').open_from, false) AS unattended
FROM prompts
LEFT JOIN given AS always
    ON always.chosen = 'always' AND always.place = prompts.project AND always.tool = prompts.tool
    AND always.subject = prompts.subject AND always.at < shown_at
LEFT JOIN given AS of_session
    ON of_session.chosen = 'session' AND of_session.place = prompts.session_id AND of_session.tool = prompts.tool
    AND of_session.subject = prompts.subject AND of_session.at < shown_at;
