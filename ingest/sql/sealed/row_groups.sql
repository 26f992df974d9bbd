SELECT row_group_num_rows::UBIGINT
FROM parquet_metadata(?)
WHERE column_id = 0
ORDER BY row_group_id;
