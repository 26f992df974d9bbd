-- By ISO week: the days from 1970 to its Monday. (1970-01-01 was a Thursday.)
SELECT period.*, CAST(day_number - (day_number + 3) % 7 AS VARCHAR(20)) AS name, CAST(NULL AS VARCHAR(64)) AS label
FROM (
    SELECT *, CAST(floor(CAST(put_us AS DOUBLE) / CAST(86400000000 AS DOUBLE)) AS BIGINT) AS day_number FROM period
) AS period
