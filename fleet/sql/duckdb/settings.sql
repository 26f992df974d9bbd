INSERT INTO settings VALUES (?, ?, ?, ?);
