-- A file of each machine, as pushes leave them.
COPY (SELECT * EXCLUDE (v) FROM due ORDER BY machine, ts, id) TO (getvariable('root')) (
    FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480, PARTITION_BY (machine, day), OVERWRITE_OR_IGNORE
);
