-- What went wrong inside the hook. Each event is in one batch, so the counts add up.
INSERT INTO daily_errors BY NAME
SELECT
    CAST((ts AT TIME ZONE 'UTC') AT TIME ZONE ? AS DATE) AS day,
    project,
    'hook' AS error_kind,
    count(*) AS times
FROM events
WHERE batch BETWEEN ? AND ? AND kind = 'hook_error'
GROUP BY ALL;
