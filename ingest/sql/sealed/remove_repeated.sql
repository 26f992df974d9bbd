-- Each event once. Of two events about a question with the same id, the one that wins when questions are
-- merged stays (ingest/src/projection/mod.rs): the hook's asking before an import's, then the earlier
-- one; beside it those that name another asker. Events that differ, and of which neither wins, both stay.
DELETE FROM events
WHERE rowid IN (
    SELECT row
    FROM (
        SELECT
            rowid AS row,
            row_number() OVER (PARTITION BY id, digest ORDER BY rowid) AS copy,
            CASE
                WHEN
                    kind IN ('asked', 'auto_decided', 'answered', 'dismissed', 'failed')
                    AND question_key IS NOT NULL
                THEN rank() OVER (
                    PARTITION BY id, kind, tool_use_id, question_index, question_key IS NULL, skill
                    ORDER BY kind = 'asked' AND starts_with(source, 'import'), ts
                )
                ELSE 1
            END AS place
        FROM events
        WHERE id IN (SELECT id FROM events GROUP BY id HAVING count(*) > 1)
    )
    WHERE copy > 1 OR place > 1
);
