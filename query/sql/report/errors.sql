-- The period's failures by kind, the most frequent first.
-- $1 first day, $2 last day, $3 project or NULL.
SELECT error_kind, sum(times) AS times
FROM daily_errors
WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
GROUP BY error_kind
ORDER BY times DESC, error_kind;
