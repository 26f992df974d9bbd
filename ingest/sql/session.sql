-- Rows need no order of their own, so threads may append side by side; what does not fit into
-- memory goes to a temporary folder beside the store.
SET preserve_insertion_order = false;
SET memory_limit = '320MiB';
