-- The sessions the batches touch.
CREATE OR REPLACE TEMP TABLE session_delta AS
SELECT
    session_id,
    min((ts, session_kind))[2] AS session_kind,
    min(ts) AS first_at,
    max(ts) AS last_at,
    max(ts) FILTER (kind = 'session_ended') AS ended_at
FROM events
WHERE batch BETWEEN ? AND ? AND session_id <> ''
GROUP BY session_id;
