DELETE FROM daily_sessions
USING session_cells
WHERE daily_sessions.day = session_cells.day
  AND daily_sessions.project = session_cells.project
  AND daily_sessions.session_id = session_cells.session_id;

INSERT INTO daily_sessions BY NAME
SELECT DISTINCT day, project, session_id, session_kind
FROM questions
SEMI JOIN session_cells USING (day, project, session_id);
