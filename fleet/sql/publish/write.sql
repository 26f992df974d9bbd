-- A day's rows in an order that their values alone decide.
COPY (
    SELECT * EXCLUDE (day, journal_key)
    FROM incoming
    WHERE day = getvariable('day')::DATE
    ORDER BY ts, id, journal_key
) TO (getvariable('path')) (
    FORMAT parquet,
    COMPRESSION zstd,
    ROW_GROUP_SIZE 20480,
    KV_METADATA {plantune_lake: '1', plantune_key_check: getvariable('key_check')}
);
