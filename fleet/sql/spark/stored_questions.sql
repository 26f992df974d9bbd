-- The rows of a projection that came up in the period.
SELECT stored_questions.*
FROM stored_questions
CROSS JOIN settings
WHERE put_us >= settings.first_us AND put_us < settings.end_us
