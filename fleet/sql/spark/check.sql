-- How many rows Spark reads, and how many of them lack what each has; on DuckDB a constraint of the table. A file that
-- is removed while Spark lists the files has no rows, and is no failure.
SELECT
    count(*) AS rows_read,
    count(CASE WHEN id IS NULL OR ts_us IS NULL OR kind IS NULL OR publisher IS NULL THEN 1 END) AS lacking
FROM files
