-- How many sessions had a question in two periods, and of each kind in the current one.
-- Reads the variable `request`.
WITH sessions AS (
    SELECT
        bool_or(day <= getvariable('request').last_day_before) AS previous,
        bool_or(day >= getvariable('request').first_day) AS current,
        bool_or(day >= getvariable('request').first_day AND session_kind = 'interactive') AS interactive,
        bool_or(day >= getvariable('request').first_day AND session_kind = 'headless') AS headless,
        bool_or(day >= getvariable('request').first_day AND session_kind = 'spawned') AS spawned,
        bool_or(day >= getvariable('request').first_day AND session_kind = 'unknown') AS unknown
    FROM questions
    WHERE
        session_id <> ''
        AND day BETWEEN getvariable('request').first_day_before AND getvariable('request').last_day
        AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
    GROUP BY session_id
),
counted AS (
    SELECT
        count(*) FILTER (previous) AS previous,
        count(*) FILTER (current) AS current,
        count(*) FILTER (interactive) AS interactive,
        count(*) FILTER (headless) AS headless,
        count(*) FILTER (spawned) AS spawned,
        count(*) FILTER (unknown) AS unknown
    FROM sessions
)
UNPIVOT counted ON COLUMNS(*);
