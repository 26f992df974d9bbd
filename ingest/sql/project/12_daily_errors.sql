-- Failed questions by kind.
DELETE FROM daily_errors
USING cells
WHERE daily_errors.day = cells.day
  AND daily_errors.project = cells.project
  AND daily_errors.error_kind <> 'hook';

INSERT INTO daily_errors BY NAME
SELECT day, project, coalesce(error_kind, 'unknown') AS error_kind, count(*) AS times
FROM questions
SEMI JOIN cells USING (day, project)
WHERE outcome = 'failed'
GROUP BY ALL;
