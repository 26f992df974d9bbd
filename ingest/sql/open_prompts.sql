-- The prompts for permission that no decision is known of.
SELECT
    session_id,
    agent_id,
    tool_name,
    replace(id::VARCHAR, '-', ''),
    ts,
    input_digest
FROM permission_events AS asked
WHERE
    kind = 'permission_asked'
    AND NOT EXISTS (
        FROM permission_events AS decided
        WHERE
            decided.kind IN ('permission_granted', 'permission_refused')
            AND decided.asked_id = replace(asked.id::VARCHAR, '-', '')
    )
ORDER BY ts, id;
