DELETE FROM {questions} WHERE id IN (SELECT unnest(from_json($1::VARCHAR, '["UBIGINT"]')));
