-- When events happened, and their ids.
SELECT id, ts
FROM read_parquet(?, file_row_number = true)
WHERE file_row_number >= ? AND file_row_number < ?;
