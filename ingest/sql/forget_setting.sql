DELETE FROM settings WHERE name = ?;
