-- A few of the rows that the two sides do not share, as text, what they are about first.
WITH stored AS MATERIALIZED (FROM stored_questions EXCEPT ALL FROM computed_questions),
computed AS MATERIALIZED (FROM computed_questions EXCEPT ALL FROM stored_questions),
named AS MATERIALIZED (
    SELECT DISTINCT hi, lo FROM (FROM stored UNION ALL FROM computed) ORDER BY ALL LIMIT ?
),
sides AS MATERIALIZED (
    SELECT true AS is_stored, * FROM stored
    UNION ALL
    SELECT false, * FROM computed
),
shown AS (
    SELECT sides.*
    FROM sides
    JOIN named ON named.hi IS NOT DISTINCT FROM sides.hi AND named.lo IS NOT DISTINCT FROM sides.lo
)
SELECT
    is_stored,
    coalesce(wordings.tool_use_id, '?') AS tool_use_id,
    coalesce(shown.question_index::VARCHAR, '?') AS question_index,
    COLUMNS(shown.* EXCLUDE (is_stored, hi, lo, question_index))::VARCHAR
FROM shown
LEFT JOIN wordings ON wordings.number = shown.wording
ORDER BY ALL;
