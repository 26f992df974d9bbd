-- Events without what no projection reads; the id is read where it is needed.
SELECT
    v, ts, kind, session_id, session_kind, project, cwd, permission_mode, entrypoint, agent_id, source, tool_name,
    tool_use_id, question_index, question_count, question_key, key_source, question, header,
    options, descriptions, previews, recommended, multi_select, door, door_reason, skill, ask_reason, answer, free_text, notes,
    was_auto_decided, followed_recommendation, preference, preference_scope, mechanism, level, assisted,
    subject, tier, input, input_digest, suggestions, mcp_server, transcript, asked_id, "grant", waited_seconds,
    ambiguous, calls,
    error, error_kind, reason, detail
FROM (
    FROM read_parquet(?, file_row_number = true)
    UNION ALL BY NAME
    -- Fields that files of earlier versions do not have.
    SELECT
        NULL::VARCHAR[] AS descriptions, NULL::VARCHAR[] AS previews, NULL::VARCHAR AS level,
        NULL::BOOLEAN AS assisted, NULL::VARCHAR AS shown,
        NULL::VARCHAR AS subject, NULL::UINTEGER AS tier, NULL::VARCHAR AS input, NULL::VARCHAR AS input_digest,
        NULL::VARCHAR[] AS suggestions, NULL::VARCHAR AS mcp_server, NULL::VARCHAR AS transcript,
        NULL::VARCHAR AS asked_id, NULL::VARCHAR AS "grant", NULL::DOUBLE AS waited_seconds,
        NULL::BOOLEAN AS ambiguous, NULL::UINTEGER AS calls
    WHERE false
)
WHERE file_row_number >= ? AND file_row_number < ?;
