-- A question without an end is dismissed if its session went on after it, else it is open. The session went on if
-- something happened later to the session itself, or to another of its questions that came up at most a day before or
-- at any time later. So only rows since a day before the first such question are read. Both outcomes are set, because a
-- new event may change a question's time or session. Only sessions with something new in this run are looked at.
CREATE OR REPLACE TEMP TABLE endless AS
FROM endless_questions
WHERE getvariable('is_new') OR session_id IN (FROM touched);

SET VARIABLE since = (SELECT min(ts) - INTERVAL 1 DAY FROM endless);

WITH seen AS (
    SELECT
        rowid AS row_number,
        session_id,
        ts,
        outcome = 'open'::outcome OR (outcome = 'dismissed'::outcome AND dismissed_at IS NULL) AS is_endless,
        max(greatest(ts, asked_at, auto_decided_at, answered_at, dismissed_at, failed_at)) OVER (
            PARTITION BY session_id ORDER BY ts
            RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND UNBOUNDED FOLLOWING
        ) AS seen_at
    FROM questions
    SEMI JOIN endless USING (session_id)
    WHERE ts >= getvariable('since')
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

DROP TABLE temp.endless;
