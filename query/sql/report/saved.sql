-- What decisions without the person spared them in two neighbouring periods: each the median of their own seconds over
-- the latest forty answers to its question in its project, else over these in every project; `unknown` are the decisions
-- of which neither is known. What was answered because they were away is left out: it saved waiting, and none of their
-- time; and so is what they took back. A question that has forty answers in the week or the eight weeks before the last
-- day is read no further back. Reads the variable `request`.
WITH decided AS MATERIALIZED (
    SELECT day >= getvariable('request').first_day AS is_current, project, question_key, count(*) AS times
    FROM questions
    ANTI JOIN undone_answers USING (tool_use_id, question_index)
    WHERE
        outcome = 'auto_decided'
        AND level IS DISTINCT FROM 'away'
        AND day BETWEEN getvariable('request').first_day_before AND getvariable('request').last_day
        AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
    GROUP BY ALL
),
answered AS (
    SELECT
        hash(project, question_key) AS habit,
        project,
        question_key,
        day,
        answering_seconds(human_seconds, question_count) AS seconds,
        -- Of equal times, digits of the id decide.
        epoch_us(ts) + (id % 1000)::BIGINT AS place
    FROM questions
    WHERE
        outcome = 'answered' AND was_auto_decided IS NOT true
        AND question_key IN (SELECT question_key FROM decided)
),
counted AS MATERIALIZED (
    SELECT
        habit,
        CASE
            WHEN count(*) FILTER (day > last_day - 7) >= 40 THEN last_day - 7
            WHEN count(*) FILTER (day > last_day - 56) >= 40 THEN last_day - 56
            ELSE DATE '-infinity'
        END AS before
    FROM answered, (SELECT max(day) AS last_day FROM questions)
    GROUP BY habit, last_day
),
latest AS MATERIALIZED (
    SELECT
        any_value(project) AS project,
        any_value(question_key) AS question_key,
        -- An aggregate would leave NULL out.
        unnest(max_by(coalesce(seconds, -1), place, 40)) AS seconds
    FROM answered
    JOIN counted USING (habit)
    WHERE day > before
    GROUP BY habit
),
in_project AS (
    SELECT project, question_key, median(seconds) AS seconds FROM latest WHERE seconds >= 0 GROUP BY ALL
),
anywhere AS (SELECT question_key, median(seconds) AS seconds FROM latest WHERE seconds >= 0 GROUP BY ALL)
SELECT
    is_current,
    coalesce(sum(times * coalesce(in_project.seconds, anywhere.seconds)), 0) AS seconds,
    coalesce(sum(times) FILTER (coalesce(in_project.seconds, anywhere.seconds) IS NULL), 0)::DOUBLE AS unknown
FROM decided
LEFT JOIN in_project USING (project, question_key)
LEFT JOIN anywhere USING (question_key)
GROUP BY is_current;
