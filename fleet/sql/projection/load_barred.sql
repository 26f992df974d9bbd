INSERT INTO barred BY NAME FROM read_parquet(getvariable('files'), hive_partitioning = false);
