-- The figures of each group that at least k machines are behind, the rest among them. What rests on the answers of
-- some of its machines is there only where these are k, too. Times are to the millisecond.
WITH counted AS (
    SELECT
        shown_name,
        count(DISTINCT name) AS groups,
        max(label) AS label,
        count(*) AS questions,
        count(*) FILTER (WHERE ended <> 'auto_decided') AS asked,
        count(*) FILTER (WHERE ended = 'answered') AS answered,
        count(*) FILTER (WHERE ended = 'auto_decided') AS auto_decided,
        count(*) FILTER (WHERE ended = 'failed') AS failed,
        count(*) FILTER (WHERE ended = 'dismissed') AS dismissed,
        count(*) FILTER (WHERE ended = 'open') AS still_open,
        count(*) FILTER (WHERE question_index = 0) AS calls,
        count(DISTINCT CASE WHEN session_id <> '' THEN session_id END) AS sessions,
        count(DISTINCT publisher) AS machines,
        count(DISTINCT project) AS projects,
        CAST(coalesce(sum(answering_us), 0) AS BIGINT) AS human_us,
        count(awaited_us) AS away_answers,
        CAST(coalesce(sum(awaited_us), 0) AS BIGINT) AS awaited_us,
        count(DISTINCT CASE WHEN answering_us IS NOT NULL THEN publisher END) AS timed_machines,
        median(CAST(answering_us AS DOUBLE)) AS median_us,
        count(DISTINCT CASE WHEN ended = 'answered' AND followed IS NOT NULL THEN publisher END) AS agreeing_machines,
        count(*) FILTER (WHERE ended = 'answered' AND followed IS NOT NULL) AS agreement_n,
        count(*) FILTER (WHERE ended = 'answered' AND followed = 1) AS followed
    FROM named
    GROUP BY shown_name
)
SELECT
    shown_name AS name,
    groups,
    CASE WHEN shown_name IS NOT NULL THEN label END AS label,
    questions,
    asked,
    answered,
    auto_decided,
    failed,
    dismissed,
    still_open AS open,
    calls,
    sessions,
    machines,
    projects,
    round(human_us / 1000) / 1000 AS human_seconds,
    away_answers,
    round(awaited_us / 1000) / 1000 AS away_seconds,
    CASE WHEN timed_machines >= settings.k THEN round(median_us / 1000) / 1000 END AS median_seconds,
    CASE WHEN agreeing_machines >= settings.k THEN agreement_n END AS agreement_n,
    CASE WHEN agreeing_machines >= settings.k THEN CAST(followed AS DOUBLE) / agreement_n END AS agreement
FROM counted
CROSS JOIN settings
WHERE machines >= settings.k
ORDER BY CASE WHEN shown_name IS NULL THEN 1 ELSE 0 END, questions DESC, shown_name
