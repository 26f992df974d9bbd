INSERT INTO migrations VALUES (?, now() AT TIME ZONE 'UTC');
