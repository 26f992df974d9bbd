-- By the tool that the person was asked about.
SELECT prompts.*, tool_name AS name
FROM prompts
CROSS JOIN settings
WHERE put_us >= settings.first_us AND put_us < settings.end_us
