UPDATE files SET content = NULL, done_at = $2 WHERE sequence = $1;
