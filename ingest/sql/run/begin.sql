-- The rows from which on they came in this run.
SET VARIABLE first_question = (SELECT coalesce(max(rowid) + 1, 0) FROM questions);
SET VARIABLE first_permission = (SELECT coalesce(max(rowid) + 1, 0) FROM permission_events);
SET VARIABLE first_session = (SELECT coalesce(max(rowid) + 1, 0) FROM sessions);
-- The sessions that this run touches; none are named in a new store, where all are.
CREATE OR REPLACE TEMP TABLE touched (session_id VARCHAR NOT NULL);
