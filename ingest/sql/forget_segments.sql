DELETE FROM segments WHERE segment IN (SELECT unnest(from_json(?, '["VARCHAR"]')));
