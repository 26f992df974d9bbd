-- What came about each question, its parts put together. The description is that of the part that
-- ranks first, whole: a mixture would describe nothing. Every other value is in one part at most.
CREATE OR REPLACE TEMP TABLE delta AS
SELECT
    tool_use_id,
    question_index,
    min(described_by) AS described_by,
    unnest(arg_min(struct_pack(
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
        skill
    ), described_by)),
    min(asked_at) AS asked_at,
    min(auto_decided_at) AS auto_decided_at,
    min(answered_at) AS answered_at,
    min(dismissed_at) AS dismissed_at,
    min(failed_at) AS failed_at,
    any_value(ask_reason) AS ask_reason,
    any_value(answer) AS answer,
    any_value(free_text) AS free_text,
    any_value(notes) AS notes,
    any_value(answer_name) AS answer_name,
    any_value(was_auto_decided) AS was_auto_decided,
    any_value(followed_recommendation) AS followed_recommendation,
    any_value(auto_answer) AS auto_answer,
    any_value(auto_answer_name) AS auto_answer_name,
    any_value(preference) AS preference,
    any_value(preference_scope) AS preference_scope,
    any_value(mechanism) AS mechanism,
    any_value(reason) AS reason,
    any_value(error_kind) AS error_kind,
    any_value(error) AS error
FROM parts
GROUP BY tool_use_id, question_index;
