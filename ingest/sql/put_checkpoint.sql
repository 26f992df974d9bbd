INSERT OR REPLACE INTO segments (segment, head, "offset", events, read_at) VALUES (?, ?, ?, ?, ?);
