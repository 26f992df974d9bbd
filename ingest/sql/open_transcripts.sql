-- The transcripts that may say how prompts since a time were decided of which that is not known: who asked, and of
-- which agent.
SELECT DISTINCT asked.transcript, asked.session_id, asked.agent_id, asked.agent
FROM permission_events AS asked
WHERE
    asked.kind = 'permission_asked'
    AND asked.transcript IS NOT NULL
    AND asked.ts >= ?
    AND NOT EXISTS (
        FROM permission_events AS decided
        WHERE
            decided.kind IN ('permission_granted', 'permission_refused')
            AND decided.asked_id = replace(asked.id::VARCHAR, '-', '')
    )
ORDER BY ALL;
