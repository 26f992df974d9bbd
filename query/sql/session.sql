-- A store of any size is read within this; what does not fit goes to a file beside the store.
SET memory_limit = '256MiB';
