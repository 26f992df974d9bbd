-- A day's rows. `v` and the day stand in the file's path.
COPY (
    SELECT * EXCLUDE (v) FROM due WHERE ts::DATE = getvariable('day')::DATE ORDER BY ts, id
) TO (getvariable('path')) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);
