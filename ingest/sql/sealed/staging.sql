-- What does not fit into memory goes to a folder beside the store. Sorting a million events takes 224 MiB on
-- one thread, and more on two.
SET threads = 1;
SET memory_limit = '256MiB';
SET preserve_insertion_order = false;
SET temp_directory = getvariable('folder');
