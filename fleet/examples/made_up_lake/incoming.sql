-- What one machine pushes of the day.
INSERT INTO incoming BY NAME
SELECT *, ts::DATE AS day, id AS journal_key FROM lake_rows WHERE publisher = ?;
