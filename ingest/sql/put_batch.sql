INSERT INTO batches (batch, read_at, events, duplicates, quarantined) VALUES (?, ?, ?, ?, ?);
