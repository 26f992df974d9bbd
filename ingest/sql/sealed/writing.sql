-- Rows come in order, from one thread, and are written as they come; so no order needs to be restored.
SET threads = 1;
SET preserve_insertion_order = false;
SET memory_limit = '192MiB';
SET temp_directory = '';
