-- A week's rows, in order of time: a report reads the days that it is about.
COPY (
    FROM prompts
    WHERE put_us >= getvariable('first_us') AND put_us < getvariable('end_us')
    ORDER BY put_us, publisher
) TO (getvariable('path')) (
    FORMAT parquet,
    COMPRESSION zstd,
    ROW_GROUP_SIZE 122880
);
