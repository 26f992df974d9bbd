-- A line that was read again is there once.
DELETE FROM quarantine
WHERE rowid IN (
    SELECT row_number
    FROM (
        SELECT rowid AS row_number, row_number() OVER (PARTITION BY segment, "offset" ORDER BY rowid) AS copy
        FROM quarantine
    )
    WHERE copy > 1
);
