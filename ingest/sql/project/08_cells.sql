-- The cells of the rollups that the change touches, those the questions left among them.
CREATE OR REPLACE TEMP TABLE cells AS
SELECT day, project, question_key FROM previous
UNION
SELECT day, project, question_key FROM questions WHERE batch = ?;
