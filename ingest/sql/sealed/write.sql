COPY (SELECT * EXCLUDE (digest) FROM events ORDER BY ts, id, digest)
TO (getvariable('path')) (
    FORMAT parquet,
    COMPRESSION zstd,
    ROW_GROUP_SIZE 20480,
    ROW_GROUP_SIZE_BYTES '32MB',
    USE_TMP_FILE false,
    KV_METADATA {plantune_digest: getvariable('digest')}
);
