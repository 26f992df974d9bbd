-- How many sessions had a question in two neighbouring periods, and of each kind in the current one.
-- $1 first day of both, $2 last day of both, $3 first day of the current one, $4 project or NULL.
WITH sessions AS (
    SELECT
        bool_or(day < $3::DATE) AS previous,
        bool_or(day >= $3::DATE) AS current,
        bool_or(day >= $3::DATE AND session_kind = 'interactive') AS interactive,
        bool_or(day >= $3::DATE AND session_kind = 'headless') AS headless,
        bool_or(day >= $3::DATE AND session_kind = 'spawned') AS spawned,
        bool_or(day >= $3::DATE AND session_kind = 'unknown') AS unknown
    FROM questions
    WHERE
        session_id <> ''
        AND day BETWEEN $1::DATE AND $2::DATE
        AND ($4::VARCHAR IS NULL OR project = $4)
    GROUP BY session_id
)
SELECT
    count(*) FILTER (previous)::UBIGINT AS previous,
    count(*) FILTER (current)::UBIGINT AS current,
    count(*) FILTER (interactive)::UBIGINT AS interactive,
    count(*) FILTER (headless)::UBIGINT AS headless,
    count(*) FILTER (spawned)::UBIGINT AS spawned,
    count(*) FILTER (unknown)::UBIGINT AS unknown
FROM sessions;
