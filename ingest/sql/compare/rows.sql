-- The rows of the table $1 in the part $2 (see digests.sql): what each is about, and its columns as JSON.
SELECT name, columns
FROM (
    SELECT
        'questions' AS relation, hash(id) % 256 AS part,
        concat(row.tool_use_id, ' ', row.question_index) AS name, to_json(row)::VARCHAR AS columns
    FROM questions AS row
    UNION ALL
    SELECT 'sessions', hash(session_id) % 256, row.session_id, to_json(row)::VARCHAR FROM sessions AS row
    UNION ALL
    SELECT 'preference_changes', hash(id) % 256, row.id::VARCHAR, to_json(row)::VARCHAR
    FROM preference_changes AS row
    UNION ALL
    SELECT 'permission_events', hash(id) % 256, row.id::VARCHAR, to_json(row)::VARCHAR
    FROM permission_events AS row
    UNION ALL
    SELECT 'hook_errors', hash(id) % 256, row.id::VARCHAR, to_json(row)::VARCHAR FROM hook_errors AS row
    UNION ALL
    SELECT
        'quarantine', hash(segment, "offset") % 256, concat(segment, ' ', "offset"),
        to_json({'length': length, 'reason': reason, 'bytes': hash(bytes)})::VARCHAR
    FROM quarantine
)
WHERE relation = $1 AND part = $2
ORDER BY name, columns;
