-- Adds the events of the files of the variable `files`, without those of tombstones. Columns that a newer version
-- added are passed over, and those that a file does not have are null.
INSERT INTO events BY NAME
SELECT
    id, ts_us, kind, publisher, session_id, session_kind, project, project_name, agent_id, source, tool_name,
    tool_use_id, question_index, question_count, question_key, key_source, key_name, door, multi_select, assisted, skill,
    answer_hash, answer_name,
    was_auto_decided, followed_recommendation, input_digest, asked_id, waited_seconds, ambiguous, error_kind, reason
FROM (
    FROM read_parquet(getvariable('files'), union_by_name = true, hive_partitioning = false)
    UNION ALL BY NAME
    SELECT * FROM lake_rows WHERE false
) AS loaded
WHERE
    NOT EXISTS (
        FROM tombstones
        WHERE
            tombstones.publisher = loaded.publisher
            AND (tombstones.project IS NULL OR tombstones.project = loaded.project)
    );
