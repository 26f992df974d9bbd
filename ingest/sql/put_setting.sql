INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?);
