UPDATE quarantine SET reason = ? WHERE id = ?;
