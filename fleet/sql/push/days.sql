-- The UTC days, how many events each has, and a digest of these, which names their file.
SELECT
    day, count(*)::UBIGINT AS events, sha256(string_agg(digest, '' ORDER BY digest))[:32] AS digest
FROM (SELECT ts::DATE AS day, sha256(to_json(due)::VARCHAR) AS digest FROM due) AS digests
GROUP BY day
ORDER BY day;
