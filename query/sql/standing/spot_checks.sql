-- Every spot check since the day $1 (all of them for NULL): what the preference would have answered,
-- and what came back. Facts are read by day, so that the cost follows the age of the preferences and
-- not the log's; without a spot check they are not read at all, nor are texts but those asked for.
WITH checked AS MATERIALIZED (
    SELECT number, answer, preference_scope
    FROM details
    WHERE kind = 'asked' AND ask_reason = 'spot_check'
),
facts AS MATERIALIZED (
    SELECT question_facts.*
    FROM question_facts
    SEMI JOIN checked ON checked.number = question_facts.asked
    WHERE $1::DATE IS NULL OR day >= $1
),
worded AS MATERIALIZED (
    SELECT wordings.* FROM wordings SEMI JOIN facts ON facts.wording = wordings.number
)
SELECT
    contexts.project,
    forms.question_key,
    coalesce(checked.preference_scope, 'project'),
    facts.put_at,
    facts.day,
    checked.answer,
    facts.outcome = 1,
    answered.answer,
    answered.free_text IS NOT NULL OR answered.notes IS NOT NULL
FROM facts
JOIN checked ON checked.number = facts.asked
JOIN contexts ON contexts.number = facts.context
JOIN worded AS wordings ON wordings.number = facts.wording
JOIN forms ON forms.number = wordings.form
LEFT JOIN details AS answered ON answered.number = facts.answered
ORDER BY facts.put_at, facts.question_index, facts.tie;
