-- The ids of calls, and of prompts that name none, which end in $1: at most two.
SELECT tool_use_id AS id
FROM questions
WHERE suffix(tool_use_id, $1)
UNION
SELECT coalesce(tool_use_id, replace(id::VARCHAR, '-', '')) AS id
FROM permission_prompts
WHERE suffix(coalesce(tool_use_id, replace(id::VARCHAR, '-', '')), $1)
ORDER BY id
LIMIT 2;
