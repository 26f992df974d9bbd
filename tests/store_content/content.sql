-- What a store holds: every row of every relation as text. Which transaction brought a row, when a
-- segment was read, and which of two equal lines was taken, is no content.
CREATE TEMP VIEW content AS
SELECT 'events' AS relation, r::VARCHAR AS row_text
FROM (SELECT COLUMNS(c -> c <> 'batch') FROM events) AS r
UNION ALL
SELECT 'questions', r::VARCHAR FROM (SELECT COLUMNS(c -> c <> 'batch') FROM questions) AS r
UNION ALL
SELECT 'sessions', r::VARCHAR FROM (SELECT COLUMNS(c -> c <> 'batch') FROM sessions) AS r
UNION ALL
SELECT 'daily', r::VARCHAR FROM (SELECT COLUMNS(c -> c <> 'batch') FROM daily) AS r
UNION ALL
SELECT 'daily_answers', r::VARCHAR FROM (SELECT COLUMNS(c -> c <> 'batch') FROM daily_answers) AS r
UNION ALL
SELECT 'daily_sessions', r::VARCHAR FROM (SELECT COLUMNS(c -> c <> 'batch') FROM daily_sessions) AS r
UNION ALL
SELECT 'daily_errors', r::VARCHAR FROM (SELECT COLUMNS(c -> c <> 'batch') FROM daily_errors) AS r
UNION ALL
-- What stands at the end of an import's segment depends on where it was killed.
SELECT 'segments', r::VARCHAR
FROM (SELECT segment, split_part(head, '+', 1) AS head, "offset" FROM segments) AS r
UNION ALL
SELECT 'quarantine', r::VARCHAR FROM quarantine AS r
UNION ALL
SELECT 'settings', r::VARCHAR FROM settings AS r;
