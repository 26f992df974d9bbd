-- Of events with one id, which only foreign ones are with other contents, always the same one stays.
CREATE OR REPLACE TEMP TABLE merged AS
SELECT DISTINCT ON (id) *
FROM (FROM incoming UNION ALL FROM preference_changes SEMI JOIN incoming USING (id))
ORDER BY ALL;

DELETE FROM preference_changes WHERE id IN (SELECT id FROM incoming);
INSERT INTO preference_changes FROM merged;
DROP TABLE temp.merged;
