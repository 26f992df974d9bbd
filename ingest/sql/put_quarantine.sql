INSERT OR IGNORE INTO quarantine (id, segment, "offset", reason, bytes, length, seen_at)
SELECT id, segment, "offset", reason, bytes, length, ? FROM incoming_bad_lines();
