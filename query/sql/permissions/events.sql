-- The events about permissions that counting needs: those of prompts on the days from $1 to $2, calls that nobody was
-- asked about on the days from $3 to $4, and, whenever it was, each "don't ask again" that was chosen. A year's view
-- `permission_prompts` takes far longer to plan and join than these take to read. $5 project or NULL.
SELECT
    kind::VARCHAR AS kind,
    replace(id::VARCHAR, '-', '') AS id,
    asked_id,
    ts AS at,
    day,
    project,
    session_id,
    session_kind::VARCHAR AS session_kind,
    tool_name AS tool,
    subject,
    reach,
    "grant",
    waited_seconds,
    coalesce(is_away(waited_seconds), false) AS while_away,
    coalesce(ambiguous, false) AS ambiguous,
    reason,
    coalesce(calls, 0)::UBIGINT AS calls,
    agent_id,
    input_digest,
    skill AS asker
FROM permission_events
WHERE
    ($5::VARCHAR IS NULL OR project = $5)
    AND CASE
        WHEN "grant" IN ('always', 'session') THEN true
        WHEN kind IN ('permission_denied', 'permission_auto')
            THEN coalesce(day BETWEEN $3::DATE AND $4::DATE, false)
        ELSE coalesce(day BETWEEN $1::DATE AND $2::DATE, false)
    END;
