-- Events with every field that the file has.
SELECT * EXCLUDE (file_row_number)
FROM read_parquet(?, file_row_number = true)
WHERE file_row_number >= ? AND file_row_number < ?;
