-- What the person took back with `plantune undo`, in the columns of answers.sql: an answer without a
-- label and with more to say, which no policy would have given; and where the preference held.
SELECT
    project,
    question_key,
    key_source::VARCHAR,
    ts,
    day,
    session_id,
    coalesce(question_index, 0),
    coalesce(question, ''),
    header,
    options,
    recommended,
    coalesce(multi_select, false),
    NULL::VARCHAR,
    NULL::VARCHAR,
    true,
    NULL::DOUBLE,
    NULL::VARCHAR,
    NULL::VARCHAR,
    NULL::VARCHAR,
    'hook',
    NULL::VARCHAR,
    false,
    NULL::VARCHAR,
    coalesce(preference_scope, 'project')
FROM preference_changes
WHERE reason = 'undo' AND question_key IS NOT NULL;
