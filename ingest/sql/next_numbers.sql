-- The first number that each dimension has not given out: contexts, forms, wordings, details.
SELECT
    (SELECT coalesce(max(number) + 1, 0) FROM contexts)::UINTEGER,
    (SELECT coalesce(max(number) + 1, 0) FROM forms)::UINTEGER,
    (SELECT coalesce(max(number) + 1, 0) FROM wordings)::UINTEGER,
    (SELECT coalesce(max(number) + 1, 0) FROM details)::UINTEGER;
