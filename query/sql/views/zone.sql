-- Sets the variable `zone` from JSON.
SET VARIABLE zone = from_json($1::VARCHAR, '[{"since": "TIMESTAMP", "seconds": "BIGINT"}]');
