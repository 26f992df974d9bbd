-- Beside the store: its threads ask for one row group each and read it by themselves, in memory.
SET threads = 1;
SET memory_limit = '128MiB';
SET temp_directory = '';
SET parquet_metadata_cache = true;
-- Each row group is read once.
SET enable_external_file_cache = false;
