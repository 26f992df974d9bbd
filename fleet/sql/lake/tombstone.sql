INSERT INTO tombstones VALUES (?, ?);
