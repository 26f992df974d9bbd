-- What failed, by what went wrong.
SELECT period.*, coalesce(error_kind, 'unknown') AS name, CAST(NULL AS VARCHAR(64)) AS label
FROM period
WHERE ended = 'failed'
