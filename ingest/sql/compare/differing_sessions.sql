-- A few of the rows that the two sides do not share, as text, what they are about first.
WITH stored AS MATERIALIZED (FROM stored_sessions EXCEPT ALL FROM computed_sessions),
computed AS MATERIALIZED (FROM computed_sessions EXCEPT ALL FROM stored_sessions),
named AS MATERIALIZED (
    SELECT DISTINCT session_id
    FROM (FROM stored UNION ALL FROM computed)
    ORDER BY ALL
    LIMIT ?
)
SELECT true AS is_stored, COLUMNS(*)::VARCHAR
FROM (FROM stored SEMI JOIN named USING (session_id))
UNION ALL
SELECT false, COLUMNS(*)::VARCHAR
FROM (FROM computed SEMI JOIN named USING (session_id))
ORDER BY ALL;
