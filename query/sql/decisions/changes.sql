-- What the person changed about the questions $1 (keys, with commas between them), the latest first;
-- $2 how many.
SELECT
    ts AS at,
    project,
    preference,
    coalesce(preference_scope, 'project') AS scope,
    answer,
    coalesce(reason, '') AS reason
FROM preference_changes
WHERE question_key IN (SELECT unnest(string_split($1, ',')))
ORDER BY ts DESC, id
LIMIT $2;
