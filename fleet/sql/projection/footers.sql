-- Of files that another engine wrote: how many rows they have, and the times of the first and the last where they say.
SELECT
    file.file_name AS file,
    file.num_rows::UBIGINT AS rows,
    min(column_chunk.stats_min_value::BIGINT) AS first_us,
    max(column_chunk.stats_max_value::BIGINT) AS last_us
FROM parquet_file_metadata(getvariable('files')) AS file
LEFT JOIN parquet_metadata(getvariable('files')) AS column_chunk
    ON column_chunk.file_name = file.file_name AND column_chunk.path_in_schema = 'put_us'
GROUP BY file.file_name, file.num_rows;
