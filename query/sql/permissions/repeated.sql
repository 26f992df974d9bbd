-- What came again in `judged_prompts` although "don't ask again" had been chosen, the most frequent first.
SELECT
    subject,
    tool,
    project,
    asked_again_after AS chosen,
    min(given_at) AS chosen_at,
    count(*) AS prompts,
    arg_max_null(suggestions, struct_pack(ts, id)) AS suggestions
FROM judged_prompts
WHERE asked_again_after IS NOT NULL
GROUP BY ALL
ORDER BY prompts DESC, subject, tool, project, chosen;
