-- The period's questions in groups, the most frequent first, days of the week in their order. A question without
-- what it is grouped by has NULL for a name: of no asker that is known, without a header.
-- A wait that began in the period before covers those it overlaps, as it does in the totals (waiting.sql).
-- Reads the variable `request`. $1 what to group by: 'asker', 'framework', 'project', 'header', 'weekday',
-- 'session-kind' or 'agent'.
WITH waited AS (
    FROM shared_waits(
        getvariable('request').first_day_before, getvariable('request').last_day, getvariable('request').project
    )
),
named AS (
    SELECT
        CASE $1::VARCHAR
            WHEN 'asker' THEN nullif(skill, '')
            -- As `bare` in query/src/evidence.rs; one without a namespace is its own.
            WHEN 'framework' THEN coalesce(nullif(regexp_extract(skill, '^/?([^:]+):', 1), '') || ':*', nullif(skill, ''))
            WHEN 'project' THEN nullif(project, '')
            WHEN 'header' THEN nullif(trim(header), '')
            WHEN 'weekday' THEN dayname(day)
            WHEN 'session-kind' THEN session_kind::VARCHAR
            WHEN 'agent' THEN coalesce(agent, 'claude-code')
        END AS name,
        day,
        outcome,
        free_text,
        human_seconds,
        question_count,
        waited_seconds,
        while_away
    FROM questions
    LEFT JOIN waited ON waited.number = questions.rowid
    WHERE
        day BETWEEN getvariable('request').first_day AND getvariable('request').last_day
        AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
)
SELECT
    -- A skill, and the command of its name that is typed, are one, which goes by the command's slash.
    min(name) AS name,
    count(*)::UBIGINT AS questions,
    count(*) FILTER (outcome <> 'auto_decided')::UBIGINT AS asked,
    count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
    count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
    count(*) FILTER (outcome = 'answered' AND free_text IS NOT NULL)::UBIGINT AS typed,
    count(*) FILTER (outcome = 'dismissed' OR outcome = 'open' AND day < getvariable('request').open_from)::UBIGINT AS dismissed,
    count(*) FILTER (outcome = 'failed')::UBIGINT AS failed,
    count(*) FILTER (outcome = 'open' AND day >= getvariable('request').open_from)::UBIGINT AS open,
    round(coalesce(sum(answering_seconds(human_seconds, question_count)), 0), 3) AS human_seconds,
    round(median(answering_seconds(human_seconds, question_count)), 3) AS median_seconds,
    count(*) FILTER (was_away(human_seconds, question_count))::UBIGINT AS away_answers,
    round(coalesce(sum(away_seconds(human_seconds, question_count)), 0), 3) AS away_seconds,
    round(coalesce(sum(waited_seconds), 0), 3) AS waiting_seconds,
    round(coalesce(sum(waited_seconds) FILTER (while_away), 0), 3) AS waiting_away_seconds
FROM named
GROUP BY CASE WHEN $1::VARCHAR IN ('asker', 'framework') THEN ltrim(name, '/') ELSE name END
ORDER BY CASE $1::VARCHAR WHEN 'weekday' THEN min(isodow(day)) END, questions DESC, min(name) NULLS LAST;
