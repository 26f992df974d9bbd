INSERT OR IGNORE INTO quarantine (id, segment, "offset", reason, bytes, length, seen_at)
VALUES (?, ?, ?, ?, ?, ?, ?);
