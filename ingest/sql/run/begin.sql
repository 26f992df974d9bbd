-- The rows from which on they came in this run.
SET VARIABLE first_question = (SELECT coalesce(max(rowid) + 1, 0) FROM questions);
SET VARIABLE first_permission = (SELECT coalesce(max(rowid) + 1, 0) FROM permission_events);
SET VARIABLE first_session = (SELECT coalesce(max(rowid) + 1, 0) FROM sessions);
-- What find.sql finds. In a new store, all of which came, nothing is looked for.
SET VARIABLE first_found = 0;
CREATE OR REPLACE TEMP TABLE touched (session_id VARCHAR NOT NULL);
