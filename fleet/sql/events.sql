-- Each event once, whatever was pushed twice: of several copies the hook's, then the earlier one.
SELECT *
FROM (
    SELECT
        files.*,
        row_number() OVER (
            PARTITION BY kind, id ORDER BY CASE WHEN source LIKE 'import%' THEN 1 ELSE 0 END, ts_us, machine
        ) AS copy
    FROM files
) AS copies
WHERE copy = 1
