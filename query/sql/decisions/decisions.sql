-- The latest questions and what was decided about them, the latest first.
-- $1 a call's id or NULL, $2 question keys with commas between them or NULL, $3 a project or NULL,
-- $4 true for those alone that a preference answered, $5 how many.
WITH wanted AS (
    SELECT *
    FROM question_facts
    WHERE
        ($1::VARCHAR IS NULL OR wording IN (SELECT number FROM wordings WHERE tool_use_id = $1))
        AND ($2::VARCHAR IS NULL OR series IN (
            SELECT series FROM series WHERE question_key IN (SELECT unnest(string_split($2, ',')))
        ))
        AND ($3::VARCHAR IS NULL OR scope IN (SELECT scope FROM scopes WHERE project = $3))
        AND (NOT $4::BOOLEAN OR outcome = 2 OR auto_decided IS NOT NULL)
    ORDER BY put_at DESC, question_index, tie DESC
    LIMIT $5
)
SELECT
    wordings.tool_use_id,
    facts.question_index,
    facts.put_at,
    contexts.project,
    contexts.session_kind,
    forms.question_key,
    coalesce(forms.key_source, 'fingerprint') AS key_source,
    coalesce(wordings.question, '') AS question,
    forms.header,
    forms.options,
    forms.recommended,
    forms.multi_select,
    CASE WHEN facts.is_one_way THEN coalesce(forms.door_reason, 'as logged') END AS one_way,
    CASE facts.outcome
        WHEN 1 THEN 'answered' WHEN 2 THEN 'auto_decided' WHEN 3 THEN 'failed' WHEN 4 THEN 'dismissed'
        ELSE 'open'
    END AS outcome,
    asked.ask_reason,
    answered.answer,
    answered.free_text IS NOT NULL AS typed,
    answered.notes IS NOT NULL AS noted,
    coalesce(decided.answer, asked.answer) AS preferred,
    coalesce(decided.preference, asked.preference) AS preference,
    coalesce(decided.preference_scope, asked.preference_scope) AS preference_scope,
    decided.mechanism,
    coalesce(dismissed.reason, failed.error_kind) AS reason,
    facts.human_seconds
FROM wanted AS facts
JOIN contexts ON contexts.number = facts.context
JOIN wordings ON wordings.number = facts.wording
JOIN forms ON forms.number = wordings.form
LEFT JOIN details AS asked ON asked.number = facts.asked
LEFT JOIN details AS answered ON answered.number = facts.answered
LEFT JOIN details AS decided ON decided.number = facts.auto_decided
LEFT JOIN details AS dismissed ON dismissed.number = facts.dismissed
LEFT JOIN details AS failed ON failed.number = facts.failed
ORDER BY facts.put_at DESC, facts.question_index, facts.tie DESC;
