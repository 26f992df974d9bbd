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
        min(ts) AS ts
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
    SELECT denied.*, prompts.outcome
    FROM denied
    LEFT JOIN permission_prompts AS prompts
        ON prompts.session_id = denied.session_id
        AND coalesce(prompts.tool_name, '?') = denied.tool
        AND coalesce(prompts.subject, prompts.tool_name, '?') = denied.subject
        AND prompts.ts > denied.ts
    QUALIFY row_number() OVER (PARTITION BY denied.call ORDER BY prompts.ts) = 1
)
SELECT
    subject,
    tool,
    project,
    count(*)::UBIGINT AS denied,
    count(*) FILTER (WHERE outcome = 'granted')::UBIGINT AS allowed,
    count(*) FILTER (WHERE outcome = 'refused')::UBIGINT AS refused,
    count(*) FILTER (WHERE outcome IN ('open', 'ambiguous'))::UBIGINT AS unknown,
    count(*) FILTER (WHERE outcome IS NULL)::UBIGINT AS not_asked
FROM followed
GROUP BY subject, tool, project
ORDER BY denied DESC, subject, tool, project;
