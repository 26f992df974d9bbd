-- The figures of each group that at least k machines are behind, the rest among them. What rests on the answers of
-- some of its machines is there only where these are k, too, as is a question's most frequent answer (of two as
-- frequent, the first by its hash; its share is one of all answers). Times are to the millisecond.
WITH counted AS (
    SELECT
        part,
        shown_name AS name,
        max(CASE WHEN shown_name IS NOT NULL THEN label END) AS label,
        count(DISTINCT name) AS groups,
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
        count(DISTINCT session_id) AS sessions,
        count(DISTINCT machine) AS machines,
        count(DISTINCT project) AS projects,
        CAST(coalesce(sum(present_us), 0) AS BIGINT) AS present_us,
        count(awaited_us) AS away_answers,
        CAST(coalesce(sum(awaited_us), 0) AS BIGINT) AS awaited_us,
        count(DISTINCT CASE WHEN present_us IS NOT NULL THEN machine END) AS timed_machines,
        median(CAST(present_us AS DOUBLE)) AS median_us,
        count(DISTINCT CASE WHEN ended = 'answered' AND followed IS NOT NULL THEN machine END) AS agreeing_machines,
        count(*) FILTER (WHERE ended = 'answered' AND followed IS NOT NULL) AS agreement_n,
        count(*) FILTER (WHERE ended = 'answered' AND followed = 1) AS followed
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
    part, name, label, groups, counted.times, asked, answered, auto_decided, failed, dismissed, granted, refused,
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
LEFT JOIN answers
    ON part = 'question' AND shown_name = name AND place = 1 AND answer_hash IS NOT NULL
CROSS JOIN settings
WHERE counted.machines >= k
ORDER BY
    CASE WHEN name IS NULL THEN 1 ELSE 0 END, CASE WHEN part = 'week' THEN name END, counted.times DESC, name
