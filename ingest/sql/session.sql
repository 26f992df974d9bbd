-- Rows need no order of their own, so threads may append side by side; what does not fit into
-- memory goes to a temporary folder beside the store. Row groups go to the file as they fill up.
SET preserve_insertion_order = false;
SET memory_limit = '160MiB';
SET write_buffer_row_group_count = 1;
-- The writer says when the write-ahead log is worth a checkpoint: not in the midst of a long run, and
-- not after every event. Joining row groups that are not full is never worth the writing.
PRAGMA disable_checkpoint_on_shutdown;
SET checkpoint_threshold = '1TiB';
SET max_vacuum_tasks = 0;
