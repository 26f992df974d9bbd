-- The latest questions and what was decided about them, the latest first.
-- $1 a call's id or NULL, $2 question keys with commas between them or NULL, $3 a project or NULL,
-- $4 true for those alone that a preference answered, $5 how many, $6 a time or NULL: only what was
-- answered since then because the person was away; $7 and $8 the first and the last day, or NULL.
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
        AND ($7::DATE IS NULL OR day BETWEEN $7 AND $8)
        AND ($6::TIMESTAMP IS NULL OR (level = 'away' AND ts >= $6 AND outcome = 'auto_decided'))
    ORDER BY ts DESC, question_index, id DESC
    LIMIT $5
),
-- What was taken back, and what the person wanted instead, if they said so.
undone AS (
    SELECT
        tool_use_id,
        coalesce(question_index, 0) AS question_index,
        max_by(CASE WHEN json_valid(detail) THEN detail ->> '$.wanted' END, ts) AS wanted
    FROM preference_changes
    WHERE reason IN ('undo', 'undo away') AND tool_use_id IS NOT NULL
    GROUP BY ALL
),
over AS (
    SELECT DISTINCT session_id
    FROM sessions
    WHERE ended_at >= last_at
)
SELECT
    questions.tool_use_id,
    questions.question_index,
    questions.session_id,
    over.session_id IS NOT NULL AS session_over,
    undone.tool_use_id IS NOT NULL AS undone,
    undone.wanted,
    ts AS asked_at,
    project,
    session_kind::VARCHAR AS session_kind,
    coalesce(agent, 'claude-code') AS agent,
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
    ask_detail,
    answer,
    free_text IS NOT NULL AS typed,
    notes IS NOT NULL AS noted,
    coalesce(auto_answer, spot_check_answer) AS preferred,
    dismissed_answer AS selected,
    coalesce(preference, spot_check_preference) AS preference,
    coalesce(preference_scope, spot_check_scope) AS preference_scope,
    mechanism,
    level,
    coalesce(dismissed_reason, error_kind) AS reason,
    human_seconds
FROM questions
JOIN wanted ON wanted.number = questions.rowid
LEFT JOIN undone
    ON undone.tool_use_id = questions.tool_use_id
    AND undone.question_index = coalesce(questions.question_index, 0)
LEFT JOIN over ON over.session_id = questions.session_id
ORDER BY ts DESC, questions.question_index, id DESC;
