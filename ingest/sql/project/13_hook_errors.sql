-- What went wrong inside the hook. Each event is in one batch, so the counts add up.
CREATE OR REPLACE TEMP TABLE hook_errors AS
SELECT
    CAST((ts AT TIME ZONE 'UTC') AT TIME ZONE ? AS DATE) AS day,
    project,
    count(*)::UINTEGER AS times
FROM events
WHERE batch BETWEEN ? AND ? AND kind = 'hook_error'
GROUP BY ALL;
