-- How many rows were to be written, how many the variable `path` holds, and how many of the former it lacks.
SELECT
    (SELECT count(*) FROM kept)::UBIGINT,
    (SELECT count(*) FROM read_parquet(getvariable('path')))::UBIGINT,
    (
        SELECT count(*)
        FROM kept
        ANTI JOIN read_parquet(getvariable('path')) AS written
            ON written.id = kept.id AND written.publisher = kept.publisher AND written.ts_us = kept.ts_us
    )::UBIGINT;
