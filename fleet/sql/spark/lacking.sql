-- Rows without what each has; on DuckDB a constraint of the table.
SELECT count(*) AS lacking FROM files WHERE id IS NULL OR ts_us IS NULL OR kind IS NULL OR publisher IS NULL
