SELECT getvariable('removed')::UBIGINT, (SELECT count(*) FROM lake_rows)::UBIGINT;
