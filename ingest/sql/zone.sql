SELECT value FROM settings WHERE name = 'time_zone';
