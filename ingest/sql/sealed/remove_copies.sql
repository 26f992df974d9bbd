-- Equal events once.
DELETE FROM events
WHERE rowid IN (
    SELECT row
    FROM (
        SELECT rowid AS row, row_number() OVER (PARTITION BY id, digest ORDER BY rowid) AS copy
        FROM events
        WHERE id IN (SELECT id FROM events GROUP BY id HAVING count(*) > 1)
    )
    WHERE copy > 1
);
