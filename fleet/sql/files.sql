-- On DuckDB, the rows of the files that the variable `files` lists, and what their folders say; `machine` is a column in
-- merged files.
SELECT * REPLACE (CAST(day AS DATE) AS day)
FROM read_parquet(
    getvariable('files'), union_by_name = true, hive_partitioning = true, hive_types_autocast = false
)
