DELETE FROM quarantine WHERE id = ?;
