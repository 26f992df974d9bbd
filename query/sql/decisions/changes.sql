-- What the person changed about the questions $1 (keys, with commas between them), the latest first;
-- $2 how many.
WITH changed AS (
    SELECT number, preference, preference_scope, answer, reason
    FROM details
    WHERE kind = 'preference_changed'
)
SELECT
    log.ts,
    contexts.project,
    changed.preference,
    coalesce(changed.preference_scope, 'project') AS scope,
    changed.answer,
    coalesce(changed.reason, '') AS reason
FROM log
JOIN changed ON changed.number = log.detail
JOIN contexts ON contexts.number = log.context
JOIN wordings ON wordings.number = log.wording
JOIN forms ON forms.number = wordings.form
WHERE forms.question_key IN (SELECT unnest(string_split($1, ',')))
ORDER BY log.ts DESC, log.id
LIMIT $2;
