-- The files to read: $1 a JSON array of their paths.
SET VARIABLE files = (SELECT from_json(?, '["VARCHAR"]'));
