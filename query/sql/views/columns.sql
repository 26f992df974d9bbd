-- The columns of the view `result`, with their types.
SELECT column_name AS name, data_type AS type
FROM duckdb_columns()
WHERE database_name = 'temp' AND table_name = 'result'
ORDER BY column_index;
