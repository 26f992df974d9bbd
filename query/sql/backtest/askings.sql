-- Every question that a person was asked from day $2 to day $3, in the project $1 or, for NULL, in any,
-- in the order of time: the columns of `suggest/answers.sql`, then its call, and when it was answered,
-- NULL for what was not.
SELECT
    project,
    question_key,
    key_source::VARCHAR AS key_source,
    ts AS at,
    day,
    session_id,
    question_index,
    question,
    header,
    options,
    recommended,
    coalesce(multi_select, false) AS multi_select,
    CASE WHEN door = 'one-way' THEN coalesce(door_reason, 'as logged') END AS one_way,
    answer AS labels,
    free_text IS NOT NULL OR notes IS NOT NULL AS said_more,
    answering_seconds(human_seconds, question_count) AS human_seconds,
    descriptions,
    previews,
    host AS tool,
    starts_with(source, 'import') AS is_imported,
    CASE WHEN notes IS NULL AND length(free_text) <= 400 THEN free_text END AS typed,
    skill AS asker,
    tool_use_id AS call,
    CASE WHEN outcome = 'answered' THEN coalesce(answered_at, ts) END AS answered_at
FROM questions
WHERE
    day BETWEEN $2::DATE AND $3::DATE
    AND session_kind = 'interactive'
    AND outcome <> 'auto_decided'
    AND was_auto_decided IS NOT true
    AND agent_id IS NULL
    AND ask_detail IS DISTINCT FROM 'answers_in_input'
    AND ($1::VARCHAR IS NULL OR project = $1)
ORDER BY ts, tool_use_id, question_index, id;
