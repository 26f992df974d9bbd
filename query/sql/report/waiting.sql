-- How long agents waited in two periods, and how much of it while the person was away (../waiting.sql).
-- Reads the variable `request`.
SELECT
    day >= getvariable('request').first_day AS is_current,
    round(sum(waited_seconds), 3) AS waiting_seconds,
    round(coalesce(sum(waited_seconds) FILTER (while_away), 0), 3) AS away_seconds
FROM waits(getvariable('request').first_day_before, getvariable('request').last_day, getvariable('request').project)
WHERE day <= getvariable('request').last_day_before OR day >= getvariable('request').first_day
GROUP BY is_current;
