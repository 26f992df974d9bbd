-- The commands that the texts of skills ran by themselves on some days, by skill, the most first.
-- Reads the variable `prompts`.
SELECT coalesce(skill, '?') AS skill, count(DISTINCT coalesce(tool_use_id, id::VARCHAR))::UBIGINT AS commands
FROM permission_events
WHERE
    kind = 'skill_command'
    AND day BETWEEN getvariable('prompts').first_day AND getvariable('prompts').last_day
    AND (getvariable('prompts').project IS NULL OR project = getvariable('prompts').project)
GROUP BY 1
ORDER BY commands DESC, 1;
