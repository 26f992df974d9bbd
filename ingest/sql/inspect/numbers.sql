-- Numbers that several rows of a dimension have.
SELECT
    (SELECT count(*) - count(DISTINCT number) FROM contexts)::UBIGINT,
    (SELECT count(*) - count(DISTINCT number) FROM forms)::UBIGINT,
    (SELECT count(*) - count(DISTINCT number) FROM wordings)::UBIGINT,
    (SELECT count(*) - count(DISTINCT number) FROM details)::UBIGINT;
