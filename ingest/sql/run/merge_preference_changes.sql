-- Of events with one id, which only foreign ones are with other contents, always the same one stays.
CREATE OR REPLACE TEMP TABLE merged AS
SELECT DISTINCT ON (id) *
FROM preference_changes
WHERE id IN (SELECT id FROM preference_changes GROUP BY id HAVING count(*) > 1)
ORDER BY ALL;

DELETE FROM preference_changes WHERE id IN (SELECT id FROM merged);
INSERT INTO preference_changes FROM merged;
DROP TABLE temp.merged;
