-- The events that the rows of `questions` were made from, as far as the rows have them: one of each kind.
SELECT
    1::UINTEGER AS v,
    NULL::VARCHAR AS id,
    event.kind,
    event.ts,
    project,
    '' AS cwd,
    session_id,
    session_kind::VARCHAR AS session_kind,
    source,
    if(starts_with(host, 'sdk-'), 'AskUserQuestion', host) AS tool_name,
    if(starts_with(host, 'sdk-'), host, NULL) AS entrypoint,
    agent_id,
    agent,
    tool_use_id,
    question_index,
    question_count,
    question_key,
    key_source::VARCHAR AS key_source,
    question,
    header,
    from_json(options, '["VARCHAR"]') AS options,
    from_json(descriptions, '["VARCHAR"]') AS descriptions,
    from_json(previews, '["VARCHAR"]') AS previews,
    recommended,
    multi_select,
    door::VARCHAR AS door,
    door_reason,
    skill,
    from_json(event.answer, '["VARCHAR"]') AS answer,
    event.reason,
    event.preference,
    event.preference_scope,
    if(event.kind = 'asked', ask_reason::VARCHAR, NULL) AS ask_reason,
    if(event.kind = 'auto_decided', mechanism, NULL) AS mechanism,
    if(event.kind = 'auto_decided', level, NULL) AS level,
    if(event.kind = 'answered', free_text, NULL) AS free_text,
    if(event.kind = 'answered', notes, NULL) AS notes,
    if(event.kind = 'answered', was_auto_decided, NULL) AS was_auto_decided,
    if(event.kind = 'answered', followed_recommendation, NULL) AS followed_recommendation,
    if(event.kind = 'failed', error_kind, NULL) AS error_kind,
    if(event.kind = 'failed', error, NULL) AS error
FROM (
    SELECT
        *,
        unnest([
            {
                kind: 'asked', ts: asked_at, answer: spot_check_answer, reason: ask_detail,
                preference: spot_check_preference, preference_scope: spot_check_scope
            },
            {
                kind: 'auto_decided', ts: auto_decided_at, answer: auto_answer, reason: auto_reason,
                preference: preference, preference_scope: preference_scope
            },
            {
                kind: 'answered', ts: answered_at, answer: answer, reason: NULL,
                preference: NULL, preference_scope: NULL
            },
            {
                kind: 'dismissed', ts: dismissed_at, answer: dismissed_answer, reason: dismissed_reason,
                preference: NULL, preference_scope: NULL
            },
            {
                kind: 'failed', ts: failed_at, answer: NULL, reason: NULL,
                preference: NULL, preference_scope: NULL
            }
        ]) AS event
    FROM questions
)
WHERE event.ts IS NOT NULL;
