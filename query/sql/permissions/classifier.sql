-- What the classifier of auto mode denied on some days, and what became of it: the next prompt about the same in that
-- session, if one came. The most frequent first.
-- Reads the variable `prompts`.
WITH denied AS (
    SELECT
        coalesce(tool_use_id, id::VARCHAR) AS call,
        session_id,
        project,
        coalesce(tool_name, '?') AS tool,
        coalesce(subject, tool_name, '?') AS subject,
        min(ts) AS ts,
        -- One call may be logged by the hook and by the transcript.
        max(reach_rank(reach)) AS furthest
    FROM permission_events
    WHERE
        kind = 'permission_denied'
        AND permission_mode = 'auto'
        AND coalesce(reason, 'classifier') NOT IN ('mode', 'rule', 'other')
        AND day BETWEEN getvariable('prompts').first_day AND getvariable('prompts').last_day
        AND (getvariable('prompts').project IS NULL OR project = getvariable('prompts').project)
    GROUP BY ALL
),
followed AS (
    SELECT
        denied.* REPLACE (greatest(denied.furthest, reach_rank(prompts.reach)) AS furthest),
        prompts.outcome,
        prompts.input,
        -- As for the evidence of rules. The sentence is for Claude Code's settings.
        coalesce(
            prompts.outcome = 'granted' AND prompts.session_kind = 'interactive' AND prompts.agent IS NULL, false
        ) AS by_person
    FROM denied
    LEFT JOIN permission_prompts AS prompts
        ON prompts.session_id = denied.session_id
        AND coalesce(prompts.tool_name, '?') = denied.tool
        AND coalesce(prompts.subject, prompts.tool_name, '?') = denied.subject
        AND prompts.ts > denied.ts
    QUALIFY row_number() OVER (PARTITION BY denied.call ORDER BY prompts.ts) = 1
),
-- What the person refused at any time and in any project.
refused_before AS (
    SELECT DISTINCT coalesce(tool_name, '?') AS tool, coalesce(subject, tool_name, '?') AS subject
    FROM permission_prompts
    WHERE outcome = 'refused' AND reason IS DISTINCT FROM 'nobody'
)
SELECT
    subject,
    tool,
    project,
    reach_named(max(furthest)) AS reach,
    count(*)::UBIGINT AS denied,
    count(*) FILTER (WHERE outcome = 'granted')::UBIGINT AS allowed,
    count(*) FILTER (WHERE outcome = 'refused')::UBIGINT AS refused,
    count(*) FILTER (WHERE outcome IN ('open', 'ambiguous'))::UBIGINT AS unknown,
    count(*) FILTER (WHERE outcome IS NULL)::UBIGINT AS not_asked,
    count(refused_before.subject) > 0 AS ever_refused,
    count(*) FILTER (WHERE by_person)::UBIGINT AS allowed_by_person,
    -- Only where each prompt that the person allowed had the same input.
    CASE
        WHEN count(DISTINCT input) FILTER (WHERE by_person) = 1
        AND count(*) FILTER (WHERE by_person AND input IS NULL) = 0
            THEN max(input) FILTER (WHERE by_person)
    END AS allowed_input
FROM followed
LEFT JOIN refused_before USING (tool, subject)
GROUP BY subject, tool, project
ORDER BY denied DESC, subject, tool, project;
