-- What the batches say about each question they touch. The description comes from the event that
-- ranks first: the asking, else the deciding, else what came back.
CREATE OR REPLACE TEMP TABLE delta AS
SELECT
    tool_use_id,
    question_index,
    min(rank) AS described_by,
    arg_min(description, rank) AS description,
    min(ts) FILTER (kind = 'asked') AS asked_at,
    min(ts) FILTER (kind = 'auto_decided') AS auto_decided_at,
    min(ts) FILTER (kind = 'answered') AS answered_at,
    min(ts) FILTER (kind = 'dismissed') AS dismissed_at,
    min(ts) FILTER (kind = 'failed') AS failed_at,
    any_value(ask_reason) AS ask_reason,
    any_value(answer) FILTER (kind = 'answered') AS answer,
    any_value(free_text) FILTER (kind = 'answered') AS free_text,
    any_value(notes) FILTER (kind = 'answered') AS notes,
    any_value(answer_name) FILTER (kind = 'answered') AS answer_name,
    any_value(was_auto_decided) AS was_auto_decided,
    any_value(followed_recommendation) AS followed_recommendation,
    any_value(answer) FILTER (kind = 'auto_decided') AS auto_answer,
    any_value(answer_name) FILTER (kind = 'auto_decided') AS auto_answer_name,
    any_value(preference) FILTER (kind = 'auto_decided') AS preference,
    any_value(preference_scope) FILTER (kind = 'auto_decided') AS preference_scope,
    any_value(mechanism) FILTER (kind = 'auto_decided') AS mechanism,
    any_value(reason) FILTER (kind = 'dismissed') AS reason,
    any_value(error_kind) FILTER (kind = 'failed') AS error_kind,
    any_value(error) FILTER (kind = 'failed') AS error
FROM (
    SELECT
        *,
        (CASE kind WHEN 'asked' THEN 0 WHEN 'auto_decided' THEN 1 ELSE 2 END)::BIGINT
            * 10_000_000_000_000_000 + epoch_us(ts) AS rank,
        {
            question_count: question_count,
            session_id: session_id,
            session_kind: session_kind,
            project: project,
            tool_name: tool_name,
            question_key: question_key,
            key_source: key_source,
            question: question,
            header: header,
            options: options,
            recommended: recommended,
            multi_select: multi_select,
            door: door,
            door_reason: door_reason,
            skill: skill
        } AS description
    FROM events
    WHERE batch BETWEEN ? AND ?
      AND kind IN ('asked', 'auto_decided', 'answered', 'dismissed', 'failed')
      AND tool_use_id IS NOT NULL
      AND question_index IS NOT NULL
      AND question_key IS NOT NULL
)
GROUP BY tool_use_id, question_index;
