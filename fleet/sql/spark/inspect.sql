-- How many rows of each file can be read, in all columns, and how many lack what each row has.
SELECT
    file_path,
    count(*) AS rows_read,
    count(CASE WHEN id IS NULL OR ts_us IS NULL OR kind IS NULL OR publisher IS NULL THEN 1 END) AS lacking,
    count(session_id), count(session_kind), count(project), count(project_name), count(agent_id), count(source),
    count(tool_name), count(tool_use_id), count(question_index), count(question_count), count(question_key),
    count(key_source), count(key_name), count(skill), count(answer_hash), count(answer_name),
    count(was_auto_decided), count(followed_recommendation), count(input_digest), count(asked_id),
    count(waited_seconds), count(ambiguous), count(error_kind), count(reason)
FROM inspected
GROUP BY file_path
