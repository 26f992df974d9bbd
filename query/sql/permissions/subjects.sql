-- The prompts in `judged_prompts` by subject and tool, by who was at work, or by the framework that these belong to, the
-- most frequent first, and those that took longest before others.
-- $1 'subject', 'asker' or 'framework', $2 reach or NULL, $3 tool or NULL.
WITH named AS (
    SELECT
        CASE $1::VARCHAR
            WHEN 'subject' THEN subject
            WHEN 'asker' THEN coalesce(skill, '')
            -- As `bare` in query/src/evidence.rs; one without a namespace is its own.
            ELSE coalesce(nullif(regexp_extract(skill, '^/?([^:]+):', 1), '') || ':*', skill, '')
        END AS name,
        if($1 = 'subject', tool, '') AS of_tool,
        *
    FROM judged_prompts
    WHERE ($2::VARCHAR IS NULL OR reach = $2) AND ($3::VARCHAR IS NULL OR tool = $3)
)
SELECT
    min(name) AS subject,
    of_tool AS tool,
    reach_named(max(reach_rank(reach))) AS reach,
    count(*) AS asked,
    count(*) FILTER (outcome = 'granted') AS granted,
    count(*) FILTER (outcome = 'refused') AS refused,
    count(*) FILTER (outcome = 'ambiguous') AS ambiguous,
    count(*) FILTER (outcome = 'open') AS open,
    round(coalesce(sum(waited_seconds) FILTER (NOT while_away), 0), 3) AS seconds_waited,
    count(waited_seconds) FILTER (NOT while_away) AS waits_known,
    count(*) FILTER (while_away) AS waits_away,
    round(coalesce(sum(waited_seconds) FILTER (while_away), 0), 3) AS seconds_away,
    round(median(waited_seconds) FILTER (NOT while_away), 3) AS median_seconds,
    count(asked_again_after) AS asked_again,
    count(*) FILTER (unattended) AS unattended,
    count(*) FILTER (outcome = 'refused' AND reason = 'unknown') AS without_approvals,
    max(ts) AS last_at,
    max(day) AS last_day
FROM named
-- A skill, and the command of its name that is typed, are one, which goes by the command's slash.
GROUP BY if($1 = 'subject', name, ltrim(name, '/')), of_tool
ORDER BY asked DESC, seconds_waited DESC, subject, tool;
