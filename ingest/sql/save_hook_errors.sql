-- Of events with one id, which only foreign ones are with other contents, always the same one stays.
CREATE OR REPLACE TEMP TABLE merged AS
SELECT DISTINCT ON (id) *
FROM (FROM incoming UNION ALL FROM hook_errors SEMI JOIN incoming USING (id))
ORDER BY ALL;

DELETE FROM hook_errors WHERE id IN (SELECT id FROM incoming);
INSERT INTO hook_errors FROM merged;
DROP TABLE temp.merged;
