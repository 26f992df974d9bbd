SELECT count(*)::UBIGINT, count(DISTINCT id)::UBIGINT, count(DISTINCT publisher)::UBIGINT FROM events;
