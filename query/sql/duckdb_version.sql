-- The version of the DuckDB library, such as v1.5.2.
SELECT version();
