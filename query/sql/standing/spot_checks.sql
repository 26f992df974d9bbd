-- Every spot check since the day $1 (all of them for NULL): what the preference would have answered,
-- and what came back.
SELECT
    project,
    question_key,
    coalesce(spot_check_scope, 'project') AS scope,
    ts AS asked_at,
    day,
    spot_check_answer AS preferred,
    outcome = 'answered' AS answered,
    answer AS labels,
    free_text IS NOT NULL OR notes IS NOT NULL AS said_more
FROM questions
WHERE ask_reason = 'spot_check' AND ($1::DATE IS NULL OR day >= $1)
ORDER BY ts, question_index, id;
