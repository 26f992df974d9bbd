-- How many rows a projection must hold.
SELECT
    (SELECT count(*) FROM questions)::UBIGINT,
    (SELECT count(*) FROM prompts)::UBIGINT,
    (SELECT count(*) FROM barred)::UBIGINT;
