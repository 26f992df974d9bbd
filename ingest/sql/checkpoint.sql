-- Takes what is committed from the write-ahead log into the store's file.
CHECKPOINT;
