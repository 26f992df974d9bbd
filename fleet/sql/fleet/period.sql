-- The questions that came up in the period. What was asked before the moment `open_from_us`, and has no end, was
-- left.
SELECT
    questions.*,
    CASE WHEN outcome = 'open' AND put_us < settings.open_from_us THEN 'dismissed' ELSE outcome END AS ended
FROM questions
CROSS JOIN settings
WHERE put_us >= settings.first_us AND put_us < settings.end_us
