-- The rows of the tables that the log makes, in a database: what each is about, in which of 256 parts of its table it is
-- whatever its other columns hold, a digest, and its columns as JSON. The day of a quarantined line is left out: where
-- the segment's name has none, it is that of the reading.
SELECT
    'questions' AS relation, concat(row.tool_use_id, ' ', row.question_index) AS name, hash(id) % 256 AS part,
    hash(row) AS digest, to_json(row)::VARCHAR AS columns
FROM {database}questions AS row
UNION ALL
SELECT 'sessions', row.session_id, hash(session_id) % 256, hash(row), to_json(row)::VARCHAR
FROM {database}sessions AS row
UNION ALL
SELECT 'preference_changes', row.id::VARCHAR, hash(id) % 256, hash(row), to_json(row)::VARCHAR
FROM {database}preference_changes AS row
UNION ALL
SELECT 'permission_events', row.id::VARCHAR, hash(id) % 256, hash(row), to_json(row)::VARCHAR
FROM {database}permission_events AS row
UNION ALL
SELECT 'hook_errors', row.id::VARCHAR, hash(id) % 256, hash(row), to_json(row)::VARCHAR
FROM {database}hook_errors AS row
UNION ALL
SELECT
    'quarantine', concat(segment, ' ', "offset"), hash(segment, "offset") % 256,
    hash(segment, "offset", length, reason, bytes),
    to_json({'length': length, 'reason': reason, 'bytes': hash(bytes)})::VARCHAR
FROM {database}quarantine
