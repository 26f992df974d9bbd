-- The rows of `grouped`, with the name of the group that they are shown under; NULL is the rest. Groups of fewer than k
-- machines are in the rest; where the rest itself has fewer, the smallest group that could be shown is in it, too: else
-- what is left of the total would be the rest.
WITH sizes AS (
    SELECT part, name, times, machines, machines < k AS is_small
    FROM (
        SELECT part, name, count(*) AS times, count(DISTINCT machine) AS machines FROM grouped GROUP BY part, name
    ) AS counted
    CROSS JOIN settings
),
rest AS (
    SELECT grouped.part, count(DISTINCT grouped.machine) AS machines
    FROM grouped
    INNER JOIN sizes ON sizes.part = grouped.part AND sizes.name = grouped.name
    WHERE is_small
    GROUP BY grouped.part
),
hidden AS (
    SELECT part, name FROM sizes WHERE is_small
    UNION ALL
    SELECT large.part, large.name
    FROM (
        SELECT sizes.*, row_number() OVER (PARTITION BY part ORDER BY machines, times, name) AS place
        FROM sizes
        WHERE NOT is_small
    ) AS large
    INNER JOIN rest ON rest.part = large.part
    CROSS JOIN settings
    WHERE place = 1 AND rest.machines < k
)
SELECT grouped.*, CASE WHEN hidden.name IS NULL THEN grouped.name END AS shown_name
FROM grouped
LEFT JOIN hidden ON hidden.part = grouped.part AND hidden.name = grouped.name
