-- The events from the variable `since` on and before the variable `until` (UTC; NULL for no bound), in the order of time.
CREATE OR REPLACE TEMP VIEW exported AS
FROM whole_log
WHERE
    (getvariable('since')::TIMESTAMP IS NULL OR ts >= getvariable('since')::TIMESTAMP)
    AND (getvariable('until')::TIMESTAMP IS NULL OR ts < getvariable('until')::TIMESTAMP)
ORDER BY ts, id;
