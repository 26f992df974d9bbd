-- The blocks that hold DuckDB's metadata, and how many bytes a block has.
SELECT DISTINCT block_id, (SELECT block_size FROM pragma_database_size()) FROM pragma_metadata_info();
