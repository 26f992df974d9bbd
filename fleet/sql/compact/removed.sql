SELECT getvariable('removed')::UBIGINT;
