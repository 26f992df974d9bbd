-- The rows of `grouped`, with the name of the group that they are shown under; NULL is the rest. Groups of fewer
-- than k machines are in the rest; where the rest itself has fewer, the smallest group that could be shown is in it,
-- too: else what is left of the total would be the rest.
WITH sizes AS (
    SELECT name, count(*) AS times, count(DISTINCT publisher) AS machines FROM grouped GROUP BY name
),
small AS (
    SELECT name FROM sizes CROSS JOIN settings WHERE machines < settings.k
),
rest AS (
    SELECT count(DISTINCT grouped.publisher) AS machines
    FROM grouped
    INNER JOIN small ON small.name = grouped.name
),
large AS (
    SELECT name, row_number() OVER (ORDER BY machines, times, name) AS place
    FROM sizes
    CROSS JOIN settings
    WHERE machines >= settings.k
),
hidden AS (
    SELECT name FROM small
    UNION ALL
    SELECT name
    FROM large
    CROSS JOIN rest
    CROSS JOIN settings
    WHERE place = 1 AND rest.machines > 0 AND rest.machines < settings.k
)
SELECT
    grouped.*,
    CASE WHEN hidden.name IS NULL THEN grouped.name END AS shown_name
FROM grouped
LEFT JOIN hidden ON hidden.name = grouped.name
