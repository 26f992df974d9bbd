-- The files that machines pushed, and those that they were merged into, on DuckDB: the variables `pushed` and `merged`.
CREATE VIEW pushed AS
SELECT *
FROM read_parquet(
    getvariable('pushed'), union_by_name = true, hive_partitioning = true,
    hive_types = {'machine': VARCHAR, 'day': DATE}
);
CREATE VIEW merged AS
SELECT *
FROM read_parquet(
    getvariable('merged'), union_by_name = true, hive_partitioning = true, hive_types = {'day': DATE}
);
