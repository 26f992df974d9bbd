INSERT INTO settings VALUES ('time_zone', ?);
