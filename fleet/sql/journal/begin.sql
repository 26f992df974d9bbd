INSERT INTO about VALUES (?, ?);
