DELETE FROM daily_sessions
USING cells
WHERE daily_sessions.day = cells.day AND daily_sessions.project = cells.project;

INSERT INTO daily_sessions BY NAME
SELECT DISTINCT day, project, session_id, session_kind
FROM questions
SEMI JOIN cells USING (day, project);
