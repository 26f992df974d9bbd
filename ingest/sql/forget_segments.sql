DELETE FROM segments WHERE segment IN (SELECT unnest(from_json($1::VARCHAR, '["VARCHAR"]')));
