-- The exported events as a Parquet file at the variable `path`, which is there already and private.
COPY (FROM exported) TO (getvariable('path')) (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false);
