INSERT INTO touched SELECT session_id FROM sessions WHERE rowid >= getvariable('first_row');

-- Of several rows of a session that came in this run, one: the first event says of which kind and project it
-- is (of several at one time, the first by name).
CREATE OR REPLACE TEMP TABLE merged AS
SELECT
    session_id,
    arg_min(session_kind, (first_at, session_kind::VARCHAR, project)) AS session_kind,
    arg_min(project, (first_at, session_kind::VARCHAR, project)) AS project,
    min(first_at) AS first_at,
    max(last_at) AS last_at,
    max(ended_at) AS ended_at
FROM sessions
WHERE session_id IN (SELECT session_id FROM sessions WHERE rowid >= getvariable('first_row'))
GROUP BY session_id
HAVING count(*) > 1;

DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM merged);
INSERT INTO sessions FROM merged;
DROP TABLE temp.merged;
