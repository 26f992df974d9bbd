COPY (FROM kept ORDER BY ts, id, publisher) TO (getvariable('path')) (
    FORMAT parquet,
    COMPRESSION zstd,
    ROW_GROUP_SIZE 122880,
    KV_METADATA {
        plantune_lake: '1',
        plantune_key_check: getvariable('key_check'),
        plantune_inputs: getvariable('inputs')
    }
);
