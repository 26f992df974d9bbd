-- The days and projects whose rollups the change touches, those the questions left among them.
CREATE OR REPLACE TEMP TABLE cells AS
SELECT day, project FROM previous
UNION
SELECT day, project FROM questions WHERE batch = ?;
