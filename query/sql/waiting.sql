-- What each question kept its session's agent waiting: from asking to answer, dismissal or failure. Time that an
-- earlier question of the session covers is left out, so that questions of one call, and calls at once, count
-- once; another session's agent waits on its own. `while_away` is true where that whole time exceeds the bound.
-- Questions whose end nobody logged are left out. Days from `first_day` to `last_day`, one project or, for NULL, all.
CREATE OR REPLACE TEMP MACRO waits(first_day, last_day, of_project) AS TABLE
WITH asked AS (
    SELECT
        rowid AS number,
        id,
        day,
        tool_use_id,
        CASE session_id WHEN '' THEN tool_use_id ELSE session_id END AS waiting,
        epoch_us(asked_at) AS began,
        epoch_us(CASE outcome
            WHEN 'answered' THEN answered_at
            WHEN 'dismissed' THEN dismissed_at
            WHEN 'failed' THEN failed_at
        END) AS ended
    FROM questions
    WHERE
        asked_at IS NOT NULL
        AND day BETWEEN first_day AND last_day
        AND (of_project IS NULL OR project = of_project)
),
in_order AS (
    SELECT
        *,
        max(ended) OVER (
            PARTITION BY waiting ORDER BY began, ended DESC, id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS covered
    FROM asked
    WHERE ended > began
)
SELECT
    number,
    day,
    tool_use_id,
    greatest(ended - greatest(began, covered), 0) / 1000000 AS waited_seconds,
    is_away((ended - began) / 1000000) AS while_away
FROM in_order;

-- The same with what a call kept its agent waiting shared among its questions, so that each has its part, and parts add
-- up to the whole.
CREATE OR REPLACE TEMP MACRO shared_waits(first_day, last_day, of_project) AS TABLE
SELECT
    number,
    sum(waited_seconds) OVER (PARTITION BY tool_use_id) / count(*) OVER (PARTITION BY tool_use_id) AS waited_seconds,
    while_away
FROM waits(first_day, last_day, of_project);
