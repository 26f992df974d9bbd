-- Of events with one id, of which one at least came in this run, always the same one stays. (Only foreign ones
-- have one id and other contents.)
CREATE OR REPLACE TEMP TABLE merged AS
SELECT DISTINCT ON (id) *
FROM {table}
WHERE
    id IN (
        SELECT id FROM {table}
        WHERE id IN (SELECT id FROM {table} WHERE rowid >= getvariable('first_row'))
        GROUP BY id
        HAVING count(*) > 1
    )
ORDER BY ALL;

DELETE FROM {table} WHERE id IN (SELECT id FROM merged);
INSERT INTO {table} FROM merged;
DROP TABLE temp.merged;
