-- A day's rows. `v` and `day` stand in the file's path.
COPY (
    SELECT * EXCLUDE (v, day) FROM due WHERE day = getvariable('day')::DATE ORDER BY ts, id
) TO (getvariable('path')) (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480);
