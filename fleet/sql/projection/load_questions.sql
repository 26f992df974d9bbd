-- Adds the rows of the period from the files of the variable `files`.
INSERT INTO questions BY NAME
SELECT COLUMNS(loaded.*)
FROM read_parquet(getvariable('files'), hive_partitioning = false) AS loaded
CROSS JOIN settings
WHERE put_us >= settings.first_us AND put_us < settings.end_us;
