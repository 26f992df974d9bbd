-- One file, as a merge leaves it.
COPY (SELECT * EXCLUDE (v) FROM due ORDER BY ts, id) TO (getvariable('root')) (
    FORMAT parquet, COMPRESSION zstd, PARTITION_BY (day), OVERWRITE_OR_IGNORE
);
