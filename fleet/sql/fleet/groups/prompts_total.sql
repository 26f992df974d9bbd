-- All prompts for permission of the period.
SELECT prompts.*, 'all' AS name
FROM prompts
CROSS JOIN settings
WHERE put_us >= settings.first_us AND put_us < settings.end_us
