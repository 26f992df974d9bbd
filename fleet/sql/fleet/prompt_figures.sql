-- The figures of each group of prompts that at least k machines are behind, the rest among them.
WITH counted AS (
    SELECT
        shown_name,
        count(DISTINCT name) AS groups,
        count(*) AS asked,
        count(*) FILTER (WHERE outcome = 'granted') AS granted,
        count(*) FILTER (WHERE outcome = 'refused') AS refused,
        count(*) FILTER (WHERE outcome = 'ambiguous') AS ambiguous,
        count(*) FILTER (WHERE outcome = 'open') AS still_open,
        count(DISTINCT publisher) AS machines,
        count(DISTINCT project) AS projects,
        CAST(coalesce(sum(waited_us), 0) AS BIGINT) AS waited_us,
        count(waited_us) AS waits_known
    FROM named
    GROUP BY shown_name
)
SELECT
    shown_name AS name,
    groups,
    asked,
    granted,
    refused,
    ambiguous,
    still_open AS open,
    machines,
    projects,
    round(waited_us / 1000) / 1000 AS seconds_waited,
    waits_known
FROM counted
CROSS JOIN settings
WHERE machines >= settings.k
ORDER BY CASE WHEN shown_name IS NULL THEN 1 ELSE 0 END, asked DESC, shown_name
