-- The days and sessions that the change touches, those the questions left among them.
CREATE OR REPLACE TEMP TABLE session_cells AS
SELECT day, project, session_id FROM previous
UNION
SELECT day, project, session_id FROM questions WHERE batch = ?;
