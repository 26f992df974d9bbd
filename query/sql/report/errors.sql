-- The period's failures by kind, the most frequent first; 'hook' is the hook's own, whatever a foreign
-- event says. $1 first day, $2 last day, $3 project or NULL.
WITH failures AS (
    SELECT coalesce(nullif(error_kind, 'hook'), 'unknown') AS error_kind
    FROM questions
    WHERE
        outcome = 'failed'
        AND day BETWEEN $1::DATE AND $2::DATE
        AND ($3::VARCHAR IS NULL OR project = $3)
    UNION ALL
    SELECT 'hook'
    FROM hook_errors
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
)
SELECT error_kind, count(*)::UBIGINT AS times
FROM failures
GROUP BY error_kind
ORDER BY times DESC, error_kind;
