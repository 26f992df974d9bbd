-- A digest of each table in 256 parts, the same in two stores with the same rows. A row is in the same part
-- whatever its other columns hold. The day of a quarantined line is left out: where the segment's name has
-- none, it is that of the reading.
SELECT 'questions' AS relation, hash(id) % 256 AS part, count(*) AS rows, bit_xor(hash(row)) AS digest
FROM questions AS row GROUP BY part
UNION ALL
SELECT 'sessions', hash(session_id) % 256 AS part, count(*), bit_xor(hash(row)) FROM sessions AS row GROUP BY part
UNION ALL
SELECT 'preference_changes', hash(id) % 256 AS part, count(*), bit_xor(hash(row))
FROM preference_changes AS row GROUP BY part
UNION ALL
SELECT 'permission_events', hash(id) % 256 AS part, count(*), bit_xor(hash(row))
FROM permission_events AS row GROUP BY part
UNION ALL
SELECT 'hook_errors', hash(id) % 256 AS part, count(*), bit_xor(hash(row)) FROM hook_errors AS row GROUP BY part
UNION ALL
SELECT
    'quarantine', hash(segment, "offset") % 256 AS part, count(*),
    bit_xor(hash(segment, "offset", length, reason, bytes))
FROM quarantine GROUP BY part;
