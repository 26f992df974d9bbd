-- The sessions as they are now: what was known and what came.
CREATE OR REPLACE TEMP TABLE session_now AS
SELECT
    came.session_id,
    coalesce(least((known.first_at, known.session_kind), (came.first_at, came.session_kind))[2], came.session_kind)
        AS session_kind,
    least(known.first_at, came.first_at) AS first_at,
    greatest(known.last_at, came.last_at) AS last_at,
    greatest(known.ended_at, came.ended_at) AS ended_at
FROM session_delta AS came
LEFT JOIN sessions AS known USING (session_id);

DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM session_delta);

INSERT INTO sessions SELECT session_id, session_kind, first_at, last_at, ended_at FROM session_now;
