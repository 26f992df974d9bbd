-- Events without what no projection reads; the id is read where it is needed.
SELECT
    v, ts, kind, session_id, session_kind, project, agent_id, source, tool_name,
    tool_use_id, question_index, question_count, question_key, key_source, question, header,
    options, descriptions, previews, recommended, multi_select, door, door_reason, skill, ask_reason, answer, free_text, notes,
    was_auto_decided, followed_recommendation, preference, preference_scope, mechanism, level, assisted,
    error, error_kind, reason, detail
FROM (
    FROM read_parquet(?, file_row_number = true)
    UNION ALL BY NAME
    -- Fields that files of earlier versions do not have.
    SELECT
        NULL::VARCHAR[] AS descriptions, NULL::VARCHAR[] AS previews, NULL::VARCHAR AS level,
        NULL::BOOLEAN AS assisted, NULL::VARCHAR AS shown
    WHERE false
)
WHERE file_row_number >= ? AND file_row_number < ?;
