-- Rows need no order of their own, so threads may append side by side; what does not fit into
-- memory goes to a temporary folder beside the store. Row groups go to the file as they fill up.
SET preserve_insertion_order = false;
SET memory_limit = '192MiB';
SET write_buffer_row_group_count = 1;
-- A small change stays in the write-ahead log, which the next to open the store reads, until that
-- is worth a checkpoint; joining row groups that are not full is never worth the writing.
PRAGMA disable_checkpoint_on_shutdown;
SET max_vacuum_tasks = 0;
