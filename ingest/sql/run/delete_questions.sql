DELETE FROM questions
WHERE rowid >= getvariable('first_found') AND id IN (SELECT unnest(from_json(?, '["UBIGINT"]')));
