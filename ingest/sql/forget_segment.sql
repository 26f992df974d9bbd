DELETE FROM segments WHERE segment = ?;
