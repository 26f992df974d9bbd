-- What decisions without the person spared them in two periods: each the median of their own seconds over
-- the latest forty answers to its question in its project, else over these in every project, else nothing. A question
-- is what it is called today: with the answers to all its texts. What was answered because they were away is
-- left out: it saved waiting, and none of their time; and so is what they took back. A question that has forty answers
-- in the week or the eight weeks before the last day is read no further back. Reads the variables `request`, `renamed`
-- and `logged_as`: the keys under which answers to a question were logged, as JSON.
WITH in_periods AS MATERIALIZED (
    SELECT day, project, name, logged_as, outcome, level, tool_use_id, question_index
    FROM named_questions(
        getvariable('request').first_day_before, getvariable('request').last_day, getvariable('request').project
    )
),
decided AS MATERIALIZED (
    SELECT day >= getvariable('request').first_day AS is_current, project, name, count(*) AS times
    FROM in_periods
    ANTI JOIN undone_answers USING (tool_use_id, question_index)
    WHERE
        outcome = 'auto_decided'
        AND level IS DISTINCT FROM 'away'
        AND (day <= getvariable('request').last_day_before OR day >= getvariable('request').first_day)
    GROUP BY ALL
),
keys AS (
    SELECT NULL AS project, name AS question_key, name FROM decided
    UNION
    SELECT project, logged_as, name FROM in_periods
    UNION
    SELECT one.project, one.logged_as, one.name
    FROM (
        SELECT unnest(from_json(
            getvariable('logged_as'), '[{"project": "VARCHAR", "logged_as": "VARCHAR", "name": "VARCHAR"}]'
        )) AS one
    )
),
named AS (SELECT DISTINCT * FROM keys WHERE name IN (SELECT name FROM decided)),
-- Where the project is NULL, in all of them; then no other row for the key and the name, so that each answer is joined
-- once.
wanted AS MATERIALIZED (
    FROM named AS one
    WHERE
        project IS NULL
        OR NOT EXISTS (
            FROM named AS everywhere
            WHERE everywhere.project IS NULL
            AND everywhere.question_key = one.question_key
            AND everywhere.name = one.name
        )
),
answered AS (
    SELECT
        hash(questions.project, name) AS habit,
        questions.project,
        name,
        day,
        answering_seconds(human_seconds, question_count) AS seconds,
        -- Of equal times, digits of the id decide.
        epoch_us(ts) + (id % 1000)::BIGINT AS place
    FROM questions
    JOIN wanted
        ON wanted.question_key = questions.question_key
        AND (wanted.project IS NULL OR wanted.project = questions.project)
    WHERE outcome = 'answered' AND was_auto_decided IS NOT true
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
        any_value(name) AS name,
        -- An aggregate would leave NULL out.
        unnest(max_by(coalesce(seconds, -1), place, 40)) AS seconds
    FROM answered
    JOIN counted USING (habit)
    WHERE day > before
    GROUP BY habit
),
in_project AS (SELECT project, name, median(seconds) AS seconds FROM latest WHERE seconds >= 0 GROUP BY ALL),
anywhere AS (SELECT name, median(seconds) AS seconds FROM latest WHERE seconds >= 0 GROUP BY ALL)
SELECT is_current, coalesce(sum(times * coalesce(in_project.seconds, anywhere.seconds)), 0) AS seconds
FROM decided
LEFT JOIN in_project USING (project, name)
LEFT JOIN anywhere USING (name)
GROUP BY is_current;
