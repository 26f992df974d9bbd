-- A question without an end is dismissed when its session went on after it, else open: something happened
-- later to the session itself, or to another of its questions that came up a day before or later. So only the
-- rows since $2 have to be read, a day before the first such question. $1 as in first_open.sql. Both ways,
-- because an event may put another earlier, or a question into another session.
WITH endless AS (
    SELECT session_id
    FROM questions
    WHERE
        (outcome = 'open' OR (outcome = 'dismissed' AND dismissed_at IS NULL))
        AND ts >= $2::TIMESTAMP
        AND ($1::BOOLEAN OR session_id IN (SELECT session_id FROM touched))
),
seen AS (
    SELECT
        rowid AS row_number,
        session_id,
        ts,
        outcome = 'open' OR (outcome = 'dismissed' AND dismissed_at IS NULL) AS is_endless,
        max(greatest(ts, asked_at, auto_decided_at, answered_at, dismissed_at, failed_at)) OVER (
            PARTITION BY session_id ORDER BY ts
            RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND UNBOUNDED FOLLOWING
        ) AS seen_at
    FROM questions
    SEMI JOIN endless USING (session_id)
    WHERE ts >= $2::TIMESTAMP
),
judged AS (
    SELECT row_number, if(greatest(seen_at, last_at) > ts, 'dismissed', 'open')::outcome AS judged_outcome
    FROM seen
    LEFT JOIN sessions USING (session_id)
    WHERE is_endless
)
UPDATE questions SET outcome = judged_outcome
FROM judged
WHERE questions.rowid = row_number AND outcome <> judged_outcome;
