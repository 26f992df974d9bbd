-- Each event once. Of several copies the hook's counts before an import's, then the earlier one.
SELECT events.*
FROM events
LEFT JOIN copied ON copied.id = events.id
WHERE copied.id IS NULL
UNION ALL
SELECT
    id, ts_us, kind, publisher, session_id, session_kind, project, project_name, agent_id, source, tool_name,
    tool_use_id, question_index, question_count, question_key, key_source, key_name, door, multi_select, assisted,
    skill, answer_hash, answer_name, was_auto_decided, followed_recommendation, input_digest, asked_id, waited_seconds,
    ambiguous, error_kind, reason
FROM (
    SELECT
        events.*,
        row_number() OVER (
            PARTITION BY events.id
            ORDER BY CASE WHEN source LIKE 'import%' THEN 1 ELSE 0 END, ts_us, publisher
        ) AS copy
    FROM events
    INNER JOIN copied ON copied.id = events.id
) AS copies
WHERE copy = 1
