-- The days and projects with a failure now or before.
CREATE OR REPLACE TEMP TABLE error_cells AS
SELECT day, project FROM previous WHERE outcome = 'failed'
UNION
SELECT day, project FROM questions WHERE batch = ? AND outcome = 'failed';
