-- In order of time, so that each file is about some days.
SELECT * FROM prompts ORDER BY put_us, publisher
