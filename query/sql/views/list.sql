-- The views, their columns in order with types and what they mean.
SELECT
    columns.table_name AS view,
    coalesce(views.comment, tables.comment) AS rows,
    column_name AS column,
    data_type AS type,
    columns.comment AS meaning
FROM duckdb_columns() AS columns
LEFT JOIN duckdb_views() AS views ON views.view_name = columns.table_name AND views.database_name = 'temp'
LEFT JOIN duckdb_tables() AS tables
    ON tables.table_name = columns.table_name AND tables.database_name = 'temp'
WHERE columns.database_name = 'temp' AND columns.comment IS NOT NULL
ORDER BY
    list_position(['questions', 'prompts', 'sessions', 'preferences', 'events'], columns.table_name), column_index;
