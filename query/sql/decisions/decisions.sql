-- The latest questions and what was decided about them, the latest first.
-- $1 a call's id or NULL, $2 question keys with commas between them or NULL, $3 a project or NULL,
-- $4 true for those alone that a preference answered, $5 how many.
WITH wanted AS (
    SELECT rowid AS number
    FROM questions
    WHERE
        ($1::VARCHAR IS NULL OR tool_use_id = $1)
        -- No subquery: a join would cost the calls without keys as much.
        AND ($2::VARCHAR IS NULL OR list_contains(string_split($2, ','), question_key))
        AND ($3::VARCHAR IS NULL OR project = $3)
        -- What could not be printed was asked after all.
        AND (
            NOT $4::BOOLEAN
            OR outcome = 'auto_decided'
            OR (auto_decided_at IS NOT NULL AND ask_detail IS DISTINCT FROM 'not_printed')
        )
    ORDER BY ts DESC, question_index, id DESC
    LIMIT $5
)
SELECT
    tool_use_id,
    question_index,
    ts,
    project,
    session_kind::VARCHAR AS session_kind,
    question_key,
    key_source::VARCHAR AS key_source,
    question,
    header,
    options,
    recommended,
    multi_select,
    CASE WHEN door = 'one-way' THEN coalesce(door_reason, 'as logged') END AS one_way,
    outcome::VARCHAR AS outcome,
    ask_reason::VARCHAR AS ask_reason,
    answer,
    free_text IS NOT NULL AS typed,
    notes IS NOT NULL AS noted,
    coalesce(auto_answer, spot_check_answer) AS preferred,
    coalesce(preference, spot_check_preference) AS preference,
    coalesce(preference_scope, spot_check_scope) AS preference_scope,
    mechanism,
    level,
    coalesce(assisted, false) AS assisted,
    coalesce(dismissed_reason, error_kind) AS reason,
    human_seconds
FROM questions
JOIN wanted ON wanted.number = questions.rowid
ORDER BY ts DESC, question_index, id DESC;
