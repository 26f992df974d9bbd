-- A few of the rows that the two sides do not share, as text, what they are about first.
-- Compared row by row are a few of a thousand parts, so that a relation of any size, and one of which
-- everything differs, fits into memory.
WITH unlike AS MATERIALIZED (
    SELECT part
    FROM (
        SELECT hash(day, project, error_kind) % 1024 AS part, hash(t)::HUGEINT AS digest
        FROM stored_daily_errors AS t
        UNION ALL
        SELECT hash(day, project, error_kind) % 1024 AS part, -hash(t)::HUGEINT AS digest
        FROM computed_daily_errors AS t
    )
    GROUP BY part
    HAVING sum(digest) <> 0
    ORDER BY part
    LIMIT 3
),
some_stored AS MATERIALIZED (
    FROM stored_daily_errors SEMI JOIN unlike ON hash(day, project, error_kind) % 1024 = unlike.part
),
some_computed AS MATERIALIZED (
    FROM computed_daily_errors SEMI JOIN unlike ON hash(day, project, error_kind) % 1024 = unlike.part
),
stored AS MATERIALIZED (FROM some_stored EXCEPT ALL FROM some_computed),
computed AS MATERIALIZED (FROM some_computed EXCEPT ALL FROM some_stored),
named AS MATERIALIZED (
    SELECT DISTINCT day, project, error_kind
    FROM (FROM stored UNION ALL FROM computed)
    ORDER BY ALL
    LIMIT ?
)
SELECT true AS is_stored, COLUMNS(*)::VARCHAR
FROM (FROM stored SEMI JOIN named USING (day, project, error_kind))
UNION ALL
SELECT false, COLUMNS(*)::VARCHAR
FROM (FROM computed SEMI JOIN named USING (day, project, error_kind))
ORDER BY ALL;
