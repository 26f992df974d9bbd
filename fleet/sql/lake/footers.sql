-- What the files of the variable `files` say of themselves at their ends.
SELECT
    file.file_name AS file,
    any_value(file.num_rows)::UBIGINT AS rows,
    any_value(pair.value) FILTER (pair.key = 'plantune_lake') AS format,
    any_value(pair.value) FILTER (pair.key = 'plantune_key_check') AS key_check,
    any_value(pair.value) FILTER (pair.key = 'plantune_inputs') AS inputs
FROM parquet_file_metadata(getvariable('files')) AS file
LEFT JOIN (
    SELECT file_name, decode(key) AS key, decode(value) AS value
    FROM parquet_kv_metadata(getvariable('files'))
    WHERE key IN ('plantune_lake'::BLOB, 'plantune_key_check'::BLOB, 'plantune_inputs'::BLOB)
) AS pair ON pair.file_name = file.file_name
GROUP BY file.file_name;
