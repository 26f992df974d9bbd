-- Merging whole histories takes more than what a run of the ingester is held to.
SET memory_limit = '256MiB';
