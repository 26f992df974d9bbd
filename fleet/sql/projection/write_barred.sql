COPY (FROM barred ORDER BY question_key) TO (getvariable('path')) (FORMAT parquet, COMPRESSION zstd);
