DELETE FROM events WHERE rowid IN (SELECT unnest(from_json($1::VARCHAR, '["UBIGINT"]')));
