-- Failed questions by kind; 'hook' is the hook's own, whatever a foreign event says.
CREATE OR REPLACE TEMP TABLE project_cells AS
SELECT DISTINCT day, project FROM scope_cells JOIN scopes USING (scope);

DELETE FROM daily_errors
USING project_cells
WHERE daily_errors.day = project_cells.day
  AND daily_errors.project = project_cells.project
  AND daily_errors.error_kind <> 'hook';

INSERT INTO daily_errors
SELECT day, project, coalesce(nullif(details.error_kind, 'hook'), 'unknown') AS error_kind, count(*) AS times
FROM question_facts AS facts
JOIN scopes USING (scope)
SEMI JOIN project_cells USING (day, project)
JOIN details ON details.number = facts.failed
WHERE facts.outcome = 3
GROUP BY ALL;
