-- A few of the rows that the two sides do not share, as text, what they are about first.
-- Compared row by row are a few of a thousand parts, so that a relation of any size, and one of which
-- everything differs, fits into memory.
WITH unlike AS MATERIALIZED (
    SELECT part
    FROM (
        SELECT hash(hi, lo) % 1024 AS part, hash(t)::HUGEINT AS digest
        FROM stored_questions AS t
        UNION ALL
        SELECT hash(hi, lo) % 1024 AS part, -hash(t)::HUGEINT AS digest
        FROM computed_questions AS t
    )
    GROUP BY part
    HAVING sum(digest) <> 0
    ORDER BY part
    LIMIT 3
),
some_stored AS MATERIALIZED (
    FROM stored_questions SEMI JOIN unlike ON hash(hi, lo) % 1024 = unlike.part
),
some_computed AS MATERIALIZED (
    FROM computed_questions SEMI JOIN unlike ON hash(hi, lo) % 1024 = unlike.part
),
stored AS MATERIALIZED (FROM some_stored EXCEPT ALL FROM some_computed),
computed AS MATERIALIZED (FROM some_computed EXCEPT ALL FROM some_stored),
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
