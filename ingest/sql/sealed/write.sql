-- The events in order as a Parquet file at the variable `path`, which is there already and private. A row group is read
-- at once, within the memory of session.sql, however long its rows are.
COPY (FROM events_in_order()) TO (getvariable('path')) (
    FORMAT parquet,
    COMPRESSION zstd,
    ROW_GROUP_SIZE 20480,
    ROW_GROUP_SIZE_BYTES '8MB',
    USE_TMP_FILE false
);
