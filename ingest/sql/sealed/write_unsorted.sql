-- As write.sql, in the order in which the events were read.
COPY (SELECT * EXCLUDE (digest) FROM events)
TO (getvariable('path')) (
    FORMAT parquet,
    COMPRESSION zstd,
    ROW_GROUP_SIZE 20480,
    ROW_GROUP_SIZE_BYTES '8MB',
    USE_TMP_FILE false,
    KV_METADATA {plantune_digest: getvariable('digest')}
);
