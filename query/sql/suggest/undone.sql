-- What the person took back with `plantune undo`, in the columns of answers.sql: an answer without a
-- label and with more to say, which no policy would have given; and where the preference held.
SELECT
    project,
    question_key,
    key_source::VARCHAR AS key_source,
    ts AS at,
    day,
    session_id,
    coalesce(question_index, 0) AS question_index,
    coalesce(question, '') AS question,
    header,
    options,
    recommended,
    coalesce(multi_select, false) AS multi_select,
    NULL::VARCHAR AS labels,
    NULL::VARCHAR AS descriptions,
    NULL::VARCHAR AS previews,
    true AS said_more,
    false AS is_imported,
    if(preference_scope = 'global', 'global', 'project') AS undone
FROM preference_changes
WHERE reason = 'undo' AND question_key IS NOT NULL;
