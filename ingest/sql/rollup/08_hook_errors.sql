-- What went wrong inside the hook. Each event comes once, so the counts add up.
CREATE OR REPLACE TEMP TABLE hook_errors AS FROM incoming_hook_errors();

UPDATE daily_errors
SET times = daily_errors.times + hook_errors.times
FROM hook_errors
WHERE daily_errors.day = hook_errors.day
  AND daily_errors.project = hook_errors.project
  AND daily_errors.error_kind = 'hook';

INSERT INTO daily_errors
SELECT day, project, 'hook', times
FROM hook_errors
ANTI JOIN (SELECT day, project FROM daily_errors WHERE error_kind = 'hook') USING (day, project);
