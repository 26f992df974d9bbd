-- What a store holds: every row of every table as text. How far the segments were read is no content: what
-- stands at the end of one depends on where its writer was killed.
CREATE TEMP VIEW content AS
SELECT 'questions' AS relation, r::VARCHAR AS row_text FROM questions AS r
UNION ALL
SELECT 'sessions', r::VARCHAR FROM sessions AS r
UNION ALL
SELECT 'preference_changes', r::VARCHAR FROM preference_changes AS r
UNION ALL
SELECT 'permission_events', r::VARCHAR FROM permission_events AS r
UNION ALL
SELECT 'hook_errors', r::VARCHAR FROM hook_errors AS r
UNION ALL
SELECT 'quarantine', r::VARCHAR FROM quarantine AS r
UNION ALL
SELECT 'settings', r::VARCHAR FROM settings AS r;
