-- What does not fit into memory goes to the folder of this database, which is removed at the end. Sorting a
-- million events takes 224 MiB on one thread, and more on two.
SET threads = 1;
SET memory_limit = '256MiB';
SET preserve_insertion_order = false;
SET temp_directory = getvariable('folder');
SET checkpoint_threshold = '1TiB';
SET max_vacuum_tasks = 0;
PRAGMA disable_checkpoint_on_shutdown;
