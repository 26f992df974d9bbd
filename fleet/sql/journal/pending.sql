SELECT sequence, date, content FROM files WHERE done_at IS NULL ORDER BY sequence;
