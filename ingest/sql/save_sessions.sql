-- What is known of a session and what came, put together: the first event says of which kind and project
-- it is (of several at one time, the first by name).
CREATE OR REPLACE TEMP TABLE merged AS
SELECT
    session_id,
    arg_min(session_kind, (first_at, session_kind::VARCHAR, project)) AS session_kind,
    arg_min(project, (first_at, session_kind::VARCHAR, project)) AS project,
    min(first_at) AS first_at,
    max(last_at) AS last_at,
    max(ended_at) AS ended_at
FROM (FROM incoming UNION ALL FROM sessions SEMI JOIN incoming USING (session_id))
GROUP BY session_id;

DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM incoming);
INSERT INTO sessions FROM merged;
DROP TABLE temp.merged;
