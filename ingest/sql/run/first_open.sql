-- When the first question without an end came up: of all sessions ($1 true), or of those that came.
SELECT min(ts)
FROM questions
WHERE
    (outcome = 'open' OR (outcome = 'dismissed' AND dismissed_at IS NULL))
    AND ($1::BOOLEAN OR session_id IN (SELECT session_id FROM touched));
