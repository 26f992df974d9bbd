-- Events without what no projection reads; the id is read where it is needed.
SELECT COLUMNS(field -> field NOT IN ('file_row_number', 'id', 'truncated', 'extra'))
FROM read_parquet(?, file_row_number = true)
WHERE file_row_number >= ? AND file_row_number < ?;
