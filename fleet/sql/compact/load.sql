-- Adds all rows of the files of the variable `files`. A file with a column that is not known here fails: it would
-- lose it.
INSERT INTO lake_rows BY NAME
SELECT *
FROM (
    FROM read_parquet(getvariable('files'), union_by_name = true, hive_partitioning = false)
    UNION ALL BY NAME
    SELECT * FROM lake_rows WHERE false
);
