-- Of events with one id, which only foreign ones are with other contents, always the same one stays.
CREATE OR REPLACE TEMP TABLE merged AS
SELECT DISTINCT ON (id) *
FROM hook_errors
WHERE id IN (SELECT id FROM hook_errors GROUP BY id HAVING count(*) > 1)
ORDER BY ALL;

DELETE FROM hook_errors WHERE id IN (SELECT id FROM merged);
INSERT INTO hook_errors FROM merged;
DROP TABLE temp.merged;
