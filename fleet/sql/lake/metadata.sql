SELECT file_name, decode(key), decode(value)
FROM parquet_kv_metadata(getvariable('files'))
WHERE key IN ('plantune_lake'::BLOB, 'plantune_key_check'::BLOB, 'plantune_inputs'::BLOB);
