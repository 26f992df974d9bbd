-- How many rows the file holds that was written, and the times of the first and the last.
SELECT count(*)::UBIGINT, min(put_us), max(put_us) FROM read_parquet(getvariable('files'), hive_partitioning = false);
