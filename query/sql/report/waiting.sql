-- How long agents waited in two neighbouring periods, and how much of it while the person was away (answering.sql).
-- $1 first day of both, $2 last day of both, $3 first day of the current one, $4 project or NULL.
SELECT
    day >= $3::DATE AS is_current,
    sum(waited_seconds) AS waiting_seconds,
    coalesce(sum(waited_seconds) FILTER (while_away), 0) AS away_seconds
FROM waits($1::DATE, $2::DATE, $4::VARCHAR)
GROUP BY is_current;
