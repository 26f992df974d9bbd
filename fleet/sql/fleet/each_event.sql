-- Each event once. Of several copies (two machines know one call; a machine lost its journal and published again)
-- the hook's counts before an import's, then the earlier one.
SELECT *
FROM (
    SELECT
        events.*,
        row_number() OVER (
            PARTITION BY id
            ORDER BY CASE WHEN source LIKE 'import%' THEN 1 ELSE 0 END, ts_us, publisher
        ) AS copy
    FROM events
) AS copies
WHERE copy = 1
