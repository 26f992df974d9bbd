-- A few of the rows that the two sides do not share, as text, what they are about first.
WITH stored AS MATERIALIZED (FROM stored_daily_errors EXCEPT ALL FROM computed_daily_errors),
computed AS MATERIALIZED (FROM computed_daily_errors EXCEPT ALL FROM stored_daily_errors),
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
