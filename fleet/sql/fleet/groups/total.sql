-- All questions of the period.
SELECT period.*, 'all' AS name, CAST(NULL AS VARCHAR(64)) AS label FROM period
