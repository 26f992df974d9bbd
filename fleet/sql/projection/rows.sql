-- How many rows the file holds that was written.
SELECT count(*)::UBIGINT FROM read_parquet(getvariable('files'), hive_partitioning = false);
