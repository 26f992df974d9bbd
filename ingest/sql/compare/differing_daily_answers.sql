-- A few of the rows that the two sides do not share, as text, what they are about first.
WITH stored AS MATERIALIZED (FROM stored_daily_answers EXCEPT ALL FROM computed_daily_answers),
computed AS MATERIALIZED (FROM computed_daily_answers EXCEPT ALL FROM stored_daily_answers),
named AS MATERIALIZED (
    SELECT DISTINCT day, project, question_key, session_kind, answer
    FROM (FROM stored UNION ALL FROM computed)
    ORDER BY ALL
    LIMIT ?
)
SELECT true AS is_stored, COLUMNS(*)::VARCHAR
FROM (FROM stored SEMI JOIN named USING (day, project, question_key, session_kind, answer))
UNION ALL
SELECT false, COLUMNS(*)::VARCHAR
FROM (FROM computed SEMI JOIN named USING (day, project, question_key, session_kind, answer))
ORDER BY ALL;
