-- The prompts in `judged_prompts`, the latest first.
-- $1 the id of a prompt or of a call, or NULL, $2 subject or NULL, $3 tool or NULL, $4 how many.
SELECT
    * EXCLUDE (id, ts, session_kind),
    replace(id::VARCHAR, '-', '') AS id,
    ts AS at,
    session_kind::VARCHAR AS session_kind
FROM judged_prompts
WHERE
    ($1::VARCHAR IS NULL OR replace(id::VARCHAR, '-', '') = $1 OR tool_use_id = $1)
    AND ($2::VARCHAR IS NULL OR subject = $2)
    AND ($3::VARCHAR IS NULL OR tool = $3)
ORDER BY judged_prompts.ts DESC, judged_prompts.id DESC
LIMIT $4;
