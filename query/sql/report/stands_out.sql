-- What stands out is chosen from these sums of the questions that the person was asked: by question and who
-- asks, in the period and the one before; and in the period by day and quarter of an hour (UTC: every zone's
-- hours are made of whole quarters), and of the session that was stopped most. `of_kind` is how many rows
-- there are of such a kind, those that are left out included. Questions are described as last asked.
-- Reads the variable `request`.
WITH asked AS (
    SELECT
        *,
        rowid AS number,
        day >= getvariable('request').first_day AS is_current,
        -- Of the period before, sums by question are all that is needed.
        if(is_current, session_id, NULL) AS session,
        if(is_current, day, NULL) AS day_asked,
        if(is_current, time_bucket(INTERVAL 15 MINUTES, ts), NULL) AS quarter,
        if(outcome = 'answered', answering_seconds(human_seconds, question_count), NULL) AS answering,
        if(is_current, answering, NULL) AS seconds
    FROM questions
    WHERE
        outcome <> 'auto_decided'
        AND day BETWEEN getvariable('request').first_day_before AND getvariable('request').last_day
        AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
),
counted AS (
    SELECT
        CASE
            WHEN grouping(question_key) = 0 THEN 'question'
            WHEN grouping(session) = 0 THEN 'session'
            ELSE 'quarter'
        END AS kind,
        -- A session may work in several projects: the one of its last question.
        if(grouping(session) = 0, max_by(project, epoch_us(ts)), project) AS project,
        question_key,
        skill,
        session,
        day_asked,
        quarter,
        -- NULL but for questions, which alone are described.
        if(grouping(question_key) = 0, max_by(number, epoch_us(ts)), NULL) AS number,
        min(day) FILTER (is_current) AS first_day,
        count(*) FILTER (is_current)::UBIGINT AS asked,
        count(*) FILTER (is_current AND question_index = 0)::UBIGINT AS calls,
        count(*) FILTER (NOT is_current)::UBIGINT AS asked_before,
        count(*) FILTER (NOT is_current AND question_index = 0)::UBIGINT AS calls_before,
        count(*) FILTER (is_current AND outcome = 'answered')::UBIGINT AS answered,
        count(*) FILTER (is_current AND outcome = 'answered' AND door = 'one-way')::UBIGINT AS one_way,
        count(*) FILTER (is_current AND outcome = 'answered' AND answer_name = '(typed)')::UBIGINT AS typed,
        count(*) FILTER (
            is_current AND outcome = 'answered' AND followed_recommendation IS NOT NULL
        )::UBIGINT AS with_recommendation,
        count(*) FILTER (
            is_current AND outcome = 'answered' AND followed_recommendation
        )::UBIGINT AS followed,
        count(seconds)::UBIGINT AS timed,
        coalesce(sum(seconds), 0) AS seconds,
        coalesce(sum(answering) FILTER (NOT is_current), 0) AS seconds_before,
        coalesce(sum(ln(greatest(seconds, 0.1))), 0) AS logs,
        coalesce(sum(ln(greatest(seconds, 0.1)) ** 2), 0) AS squared_logs
    FROM asked
    GROUP BY GROUPING SETS (
        (project, question_key, skill), (session), (day_asked, quarter)
    )
),
listed AS (
    SELECT *, count(*) OVER (PARTITION BY kind)::UBIGINT AS of_kind
    FROM counted
    WHERE asked > 0 OR kind = 'question'
    QUALIFY
        kind <> 'session'
        OR row_number() OVER (PARTITION BY kind ORDER BY calls DESC, asked DESC, session) = 1
)
SELECT
    listed.kind,
    of_kind,
    listed.project,
    listed.question_key,
    listed.skill,
    session,
    day_asked,
    quarter,
    first_day,
    question,
    options,
    asked,
    calls,
    asked_before,
    calls_before,
    answered,
    one_way,
    typed,
    with_recommendation,
    followed,
    timed,
    seconds,
    seconds_before,
    logs,
    squared_logs
FROM listed
-- Equality alone: with a condition on the left side DuckDB compares every pair of rows.
LEFT JOIN questions
    ON
        questions.rowid = number
        AND day BETWEEN getvariable('request').first_day_before AND getvariable('request').last_day
ORDER BY kind, listed.project, listed.question_key, listed.skill, session, quarter;
