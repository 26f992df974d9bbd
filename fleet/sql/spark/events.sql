-- The events of the lake's files, without those of tombstones.
SELECT *
FROM files
WHERE
    NOT EXISTS (
        SELECT 1
        FROM tombstones
        WHERE
            tombstones.publisher = files.publisher
            AND (tombstones.project IS NULL OR tombstones.project = files.project)
    )
