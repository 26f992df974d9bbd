-- In order of time, so that each file is about some days.
SELECT * FROM questions ORDER BY put_us, publisher
