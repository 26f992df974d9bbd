-- The rows of each row group, and the bytes that they take when they are unpacked.
SELECT any_value(row_group_num_rows)::UBIGINT, sum(total_uncompressed_size)::UBIGINT
FROM parquet_metadata(?)
GROUP BY row_group_id
ORDER BY row_group_id;
