-- What is to be forgotten, and what a publisher published twice. Copies of several publishers stay: when one of
-- them wants its own forgotten, that of another is still there. `removed` says how many were forgotten.
SET VARIABLE removed = (
    SELECT count(*)
    FROM lake_rows
    SEMI JOIN tombstones
        ON tombstones.publisher = lake_rows.publisher
        AND (tombstones.project IS NULL OR tombstones.project = lake_rows.project)
);

CREATE TABLE kept AS
SELECT *
FROM (
    SELECT
        lake_rows.*,
        row_number() OVER (
            PARTITION BY id, publisher
            ORDER BY CASE WHEN source LIKE 'import%' THEN 1 ELSE 0 END, ts_us
        ) AS copy
    FROM lake_rows
    ANTI JOIN tombstones
        ON tombstones.publisher = lake_rows.publisher
        AND (tombstones.project IS NULL OR tombstones.project = lake_rows.project)
)
WHERE copy = 1;
ALTER TABLE kept DROP COLUMN copy;
