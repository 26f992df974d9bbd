SELECT coalesce(max(batch), 0) + 1 FROM batches;
