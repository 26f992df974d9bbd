-- Rows need no order of their own, so threads may insert side by side; what does not fit into memory goes
-- to a temporary folder beside the store. With less than this, blocks of the store go there, too.
SET preserve_insertion_order = false;
SET memory_limit = '192MiB';
SET write_buffer_row_group_count = 1;
-- Joining row groups that are not full is never worth the writing.
SET max_vacuum_tasks = 0;
