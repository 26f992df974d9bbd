-- Which events about the questions with the ids $1, and which with the ids $2 about permissions, the store has:
-- their kind, call and index, or the id; and whether who asked is known.
SELECT kind, tool_use_id, question_index, skill IS NOT NULL AS names_asker
FROM (
    SELECT
        tool_use_id,
        question_index,
        skill,
        unnest([
            if(asked_at IS NULL, NULL, 'asked'),
            if(auto_decided_at IS NULL, NULL, 'auto_decided'),
            if(answered_at IS NULL, NULL, 'answered'),
            if(dismissed_at IS NULL, NULL, 'dismissed'),
            if(failed_at IS NULL, NULL, 'failed')
        ]) AS kind
    FROM questions
    WHERE id IN (SELECT unnest(from_json($1, '["UBIGINT"]')))
)
WHERE kind IS NOT NULL
UNION ALL
SELECT '', replace(id::VARCHAR, '-', ''), 0, true
FROM permission_events
WHERE id IN (SELECT unnest(from_json($2, '["UUID"]')));
