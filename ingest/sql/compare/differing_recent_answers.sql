-- A few of the rows that the two sides do not share, as text, what they are about first.
WITH stored AS MATERIALIZED (FROM stored_recent_answers EXCEPT ALL FROM computed_recent_answers),
computed AS MATERIALIZED (FROM computed_recent_answers EXCEPT ALL FROM stored_recent_answers),
named AS MATERIALIZED (
    SELECT DISTINCT project, question_key, session_kind, put_at, question_index
    FROM (FROM stored UNION ALL FROM computed)
    ORDER BY ALL
    LIMIT ?
)
SELECT true AS is_stored, COLUMNS(*)::VARCHAR
FROM (FROM stored SEMI JOIN named USING (project, question_key, session_kind, put_at, question_index))
UNION ALL
SELECT false, COLUMNS(*)::VARCHAR
FROM (FROM computed SEMI JOIN named USING (project, question_key, session_kind, put_at, question_index))
ORDER BY ALL;
