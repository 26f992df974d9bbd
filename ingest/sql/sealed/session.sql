-- Beside the store: its threads ask for one part each and read it by themselves.
SET threads = 1;
SET memory_limit = '64MiB';
SET parquet_metadata_cache = true;
