-- A question without an end is dismissed when its session went on after it, else open: something happened
-- later to the session itself, or to another of its questions that came up a day before or later. So only the
-- rows since a day before the first such question have to be read. Both ways, because an event may put another
-- earlier, or a question into another session. Sessions of which nothing came in this run stay as they are.
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
