-- The figures of each group that at least k machines are behind, the rest among them. What rests on the answers of
-- some of its machines is there only where these are k, too, as is a question's most frequent answer (of two as
-- frequent, the first by its hash; its share is one of all answers). Times are to the millisecond.
-- Machines and projects are counted of few rows, which all others are summed up to first: of several things that are
-- counted once each, Spark reads every row once for each of them.
WITH summed AS (
    SELECT
        part,
        shown_name,
        name,
        machine,
        project,
        max(label) AS label,
        count(*) AS times,
        count(*) FILTER (WHERE ended <> 'auto_decided') AS asked,
        count(*) FILTER (WHERE ended = 'answered') AS answered,
        count(*) FILTER (WHERE ended = 'auto_decided') AS auto_decided,
        count(*) FILTER (WHERE ended = 'failed') AS failed,
        count(*) FILTER (WHERE ended = 'dismissed') AS dismissed,
        count(*) FILTER (WHERE ended = 'granted') AS granted,
        count(*) FILTER (WHERE ended = 'refused') AS refused,
        count(*) FILTER (WHERE ended = 'ambiguous') AS ambiguous,
        count(*) FILTER (WHERE ended = 'open') AS still_open,
        count(*) FILTER (WHERE question_index = 0) AS calls,
        count(present_us) AS timed,
        sum(present_us) AS present_us,
        count(awaited_us) AS away_answers,
        sum(awaited_us) AS awaited_us,
        count(*) FILTER (WHERE ended = 'answered' AND followed IS NOT NULL) AS agreement_n,
        count(*) FILTER (WHERE ended = 'answered' AND followed = 1) AS followed
    FROM named
    GROUP BY part, shown_name, name, machine, project
),
counted AS (
    SELECT
        part,
        shown_name AS name,
        max(CASE WHEN shown_name IS NOT NULL THEN label END) AS label,
        count(DISTINCT name) AS groups,
        CAST(sum(times) AS BIGINT) AS times,
        CAST(sum(asked) AS BIGINT) AS asked,
        CAST(sum(answered) AS BIGINT) AS answered,
        CAST(sum(auto_decided) AS BIGINT) AS auto_decided,
        CAST(sum(failed) AS BIGINT) AS failed,
        CAST(sum(dismissed) AS BIGINT) AS dismissed,
        CAST(sum(granted) AS BIGINT) AS granted,
        CAST(sum(refused) AS BIGINT) AS refused,
        CAST(sum(ambiguous) AS BIGINT) AS ambiguous,
        CAST(sum(still_open) AS BIGINT) AS still_open,
        CAST(sum(calls) AS BIGINT) AS calls,
        count(DISTINCT machine) AS machines,
        count(DISTINCT project) AS projects,
        CAST(coalesce(sum(present_us), 0) AS BIGINT) AS present_us,
        CAST(sum(away_answers) AS BIGINT) AS away_answers,
        CAST(coalesce(sum(awaited_us), 0) AS BIGINT) AS awaited_us,
        count(DISTINCT CASE WHEN timed > 0 THEN machine END) AS timed_machines,
        count(DISTINCT CASE WHEN agreement_n > 0 THEN machine END) AS agreeing_machines,
        CAST(sum(agreement_n) AS BIGINT) AS agreement_n,
        CAST(sum(followed) AS BIGINT) AS followed
    FROM summed
    GROUP BY part, shown_name
),
spread AS (
    SELECT
        part,
        shown_name AS name,
        count(DISTINCT session_id) AS sessions,
        median(CAST(present_us AS DOUBLE)) AS median_us
    FROM named
    GROUP BY part, shown_name
),
answers AS (
    SELECT
        shown_name,
        answer_hash,
        max(answer_name) AS answer_name,
        count(*) AS times,
        count(DISTINCT machine) AS machines,
        sum(count(*)) OVER (PARTITION BY shown_name) AS answers,
        row_number() OVER (
            PARTITION BY shown_name
            ORDER BY CASE WHEN answer_hash IS NULL THEN 1 ELSE 0 END, count(*) DESC, answer_hash
        ) AS place
    FROM named
    WHERE part = 'question' AND ended = 'answered' AND shown_name IS NOT NULL
    GROUP BY shown_name, answer_hash
)
SELECT
    counted.part, counted.name, label, groups, counted.times, asked, answered, auto_decided, failed, dismissed, granted, refused,
    ambiguous, still_open AS open, calls, sessions, counted.machines, projects, away_answers,
    round(present_us / 1000) / 1000 AS seconds,
    round(awaited_us / 1000) / 1000 AS away_seconds,
    CASE WHEN timed_machines >= k THEN round(median_us / 1000) / 1000 END AS median_seconds,
    CASE WHEN agreeing_machines >= k THEN agreement_n END AS agreement_n,
    CASE WHEN agreeing_machines >= k THEN CAST(followed AS DOUBLE) / agreement_n END AS agreement,
    CASE WHEN answers.machines >= k THEN answer_hash END AS top_answer_hash,
    CASE WHEN answers.machines >= k THEN answer_name END AS top_answer,
    CASE WHEN answers.machines >= k THEN answers.times END AS top_answer_times,
    CASE WHEN answers.machines >= k THEN answers.machines END AS top_answer_machines,
    CASE WHEN answers.machines >= k THEN CAST(answers.times AS DOUBLE) / answers END AS top_answer_share
FROM counted
INNER JOIN spread ON spread.part = counted.part AND spread.name IS NOT DISTINCT FROM counted.name
LEFT JOIN answers
    ON counted.part = 'question' AND shown_name = counted.name AND place = 1 AND answer_hash IS NOT NULL
CROSS JOIN settings
WHERE counted.machines >= k
ORDER BY
    CASE WHEN counted.name IS NULL THEN 1 ELSE 0 END, CASE WHEN counted.part = 'week' THEN counted.name END,
    counted.times DESC, counted.name
