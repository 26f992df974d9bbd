-- The period's questions in groups, the most frequent first, days of the week in their order. A question without
-- what it is grouped by has NULL for a name: of no asker that is known, without a header. What a call kept its agent
-- waiting is shared among its questions, so that groups add up to the whole.
-- $1 first day, $2 last day, $3 project or NULL, $4 the first day whose open questions may still be answered, $5 what
-- to group by: 'asker', 'framework', 'project', 'header', 'weekday', 'session-kind' or 'agent', $6 the first day of the period before: a wait
-- that began there covers those it overlaps, as it does in the totals (waiting.sql).
WITH waited AS (
    SELECT
        number,
        sum(waited_seconds) OVER (PARTITION BY tool_use_id) / count(*) OVER (PARTITION BY tool_use_id) AS seconds,
        while_away
    FROM waits($6::DATE, $2::DATE, $3::VARCHAR)
),
named AS (
    SELECT
        CASE $5::VARCHAR
            WHEN 'asker' THEN nullif(skill, '')
            -- As query/src/asker.rs; one without a namespace is its own.
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
        seconds,
        while_away
    FROM questions
    LEFT JOIN waited ON waited.number = questions.rowid
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
)
SELECT
    -- A skill, and the command of its name that is typed, are one, which goes by the command's slash.
    min(name) AS name,
    count(*)::UBIGINT AS questions,
    count(*) FILTER (outcome <> 'auto_decided')::UBIGINT AS asked,
    count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
    count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
    count(*) FILTER (outcome = 'answered' AND free_text IS NOT NULL)::UBIGINT AS typed,
    count(*) FILTER (outcome = 'dismissed' OR outcome = 'open' AND day < $4::DATE)::UBIGINT AS dismissed,
    count(*) FILTER (outcome = 'failed')::UBIGINT AS failed,
    count(*) FILTER (outcome = 'open' AND day >= $4::DATE)::UBIGINT AS open,
    round(coalesce(sum(answering_seconds(human_seconds, question_count)), 0), 3) AS human_seconds,
    round(median(answering_seconds(human_seconds, question_count)), 3) AS median_seconds,
    count(*) FILTER (was_away(human_seconds, question_count))::UBIGINT AS away_answers,
    round(coalesce(sum(away_seconds(human_seconds, question_count)), 0), 3) AS away_seconds,
    round(coalesce(sum(seconds), 0), 3) AS waiting_seconds,
    round(coalesce(sum(seconds) FILTER (while_away), 0), 3) AS waiting_away_seconds
FROM named
GROUP BY CASE WHEN $5::VARCHAR IN ('asker', 'framework') THEN ltrim(name, '/') ELSE name END
ORDER BY CASE $5::VARCHAR WHEN 'weekday' THEN min(isodow(day)) END, questions DESC, min(name) NULLS LAST;
