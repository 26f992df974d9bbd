-- The tables in which the store differs from what was computed again: how many rows each has in both, and in words how
-- up to three rows differ. Parts (see rows.sql) that are alike are compared by their digests alone.
WITH
rows AS NOT MATERIALIZED (
    SELECT *, true AS is_stored FROM ({stored})
    UNION ALL
    SELECT *, false FROM ({computed})
),
parts AS (
    SELECT
        relation,
        part,
        count(*) FILTER (is_stored) AS stored,
        count(*) FILTER (NOT is_stored) AS computed,
        stored <> computed OR bit_xor(digest) <> 0 AS differs
    FROM rows
    GROUP BY relation, part
),
tables AS (
    SELECT relation, sum(stored)::UBIGINT AS stored, sum(computed)::UBIGINT AS computed
    FROM parts
    GROUP BY relation
    HAVING bool_or(differs)
),
pairs AS (
    SELECT
        relation,
        name,
        list(columns ORDER BY columns) FILTER (is_stored) AS stored,
        list(columns ORDER BY columns) FILTER (NOT is_stored) AS computed
    FROM rows
    SEMI JOIN (
        FROM parts
        WHERE differs
        QUALIFY row_number() OVER (PARTITION BY relation ORDER BY part) <= 16
    ) USING (relation, part)
    GROUP BY relation, name
    HAVING stored IS DISTINCT FROM computed
),
described AS (
    SELECT
        relation,
        concat(name, ': ', CASE
            WHEN computed IS NULL THEN 'the log makes no such row'
            WHEN stored IS NULL THEN 'a row that only the log makes'
            WHEN len(stored) > 1 OR len(computed) > 1
                THEN concat('rows: ', len(stored), ' instead of ', len(computed))
            ELSE array_to_string([
                concat(k, ' is ', json_extract(stored[1], k), ', not ', coalesce(json_extract(computed[1], k), 'null'))
                FOR k IN list_sort(json_keys(stored[1]))
                IF json_extract(stored[1], k) IS DISTINCT FROM json_extract(computed[1], k)
            ], '; ')
        END) AS words
    FROM pairs
    QUALIFY row_number() OVER (PARTITION BY relation ORDER BY words) <= 3
)
SELECT relation, stored, computed, words
FROM tables
LEFT JOIN described USING (relation)
ORDER BY
    list_position(
        ['questions', 'sessions', 'preference_changes', 'permission_events', 'hook_errors', 'quarantine'], relation
    ),
    words;
