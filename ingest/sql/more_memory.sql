-- Merging into a large store can need more than a run is held to; what does not fit into this
-- either goes to the temporary folder.
SET memory_limit = '2GiB';
