-- The events from the variable `since` on and before the variable `until` (UTC; NULL for no bound), with the
-- fields that no version knew, if there are any, and in the order of time. Sealed segments alone have `extra`.
CREATE OR REPLACE TEMP VIEW exported AS
FROM (
    FROM events
    UNION ALL BY NAME
    SELECT NULL::VARCHAR AS extra WHERE false
)
WHERE
    (getvariable('since')::TIMESTAMP IS NULL OR ts >= getvariable('since')::TIMESTAMP)
    AND (getvariable('until')::TIMESTAMP IS NULL OR ts < getvariable('until')::TIMESTAMP)
ORDER BY ts, id;
