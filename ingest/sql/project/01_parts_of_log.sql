-- What the batches say about questions, each event a part of its own. The description is taken from
-- the event that ranks first: the asking, else the deciding, else what came back.
CREATE OR REPLACE TEMP TABLE parts AS
SELECT
    tool_use_id,
    question_index,
    (list_position(['asked', 'auto_decided', 'answered', 'dismissed', 'failed'], kind) - 1)::UINTEGER
        AS described_by,
    question_count,
    session_id,
    session_kind,
    project,
    tool_name,
    question_key,
    key_source,
    question,
    header,
    options,
    recommended,
    multi_select,
    door,
    door_reason,
    skill,
    if(kind = 'asked', ts, NULL) AS asked_at,
    if(kind = 'auto_decided', ts, NULL) AS auto_decided_at,
    if(kind = 'answered', ts, NULL) AS answered_at,
    if(kind = 'dismissed', ts, NULL) AS dismissed_at,
    if(kind = 'failed', ts, NULL) AS failed_at,
    if(kind = 'asked', ask_reason, NULL) AS ask_reason,
    if(kind = 'answered', answer, NULL) AS answer,
    if(kind = 'answered', free_text, NULL) AS free_text,
    if(kind = 'answered', notes, NULL) AS notes,
    if(kind = 'answered', answer_name, NULL) AS answer_name,
    if(kind = 'answered', was_auto_decided, NULL) AS was_auto_decided,
    if(kind = 'answered', followed_recommendation, NULL) AS followed_recommendation,
    if(kind = 'auto_decided', answer, NULL) AS auto_answer,
    if(kind = 'auto_decided', answer_name, NULL) AS auto_answer_name,
    if(kind = 'auto_decided', preference, NULL) AS preference,
    if(kind = 'auto_decided', preference_scope, NULL) AS preference_scope,
    if(kind = 'auto_decided', mechanism, NULL) AS mechanism,
    if(kind = 'dismissed', reason, NULL) AS reason,
    if(kind = 'failed', error_kind, NULL) AS error_kind,
    if(kind = 'failed', error, NULL) AS error
FROM events
WHERE batch BETWEEN ? AND ?
  AND kind IN ('asked', 'auto_decided', 'answered', 'dismissed', 'failed')
  AND tool_use_id IS NOT NULL
  AND question_index IS NOT NULL
  AND question_key IS NOT NULL;
