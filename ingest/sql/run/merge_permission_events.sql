-- Of events with one id, of which one at least came in this run, always the same one stays.
CREATE OR REPLACE TEMP TABLE merged AS
SELECT DISTINCT ON (id) *
FROM permission_events
WHERE
    id IN (
        SELECT id FROM permission_events
        WHERE id IN (SELECT id FROM permission_events WHERE rowid >= getvariable('first_permission'))
        GROUP BY id
        HAVING count(*) > 1
    )
ORDER BY ALL;

DELETE FROM permission_events WHERE id IN (SELECT id FROM merged);
INSERT INTO permission_events FROM merged;
DROP TABLE temp.merged;
