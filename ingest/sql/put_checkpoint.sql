INSERT OR REPLACE INTO segments (segment, head, "offset", events, read_at)
SELECT segment, head, "offset", events, ? FROM incoming_checkpoints();
