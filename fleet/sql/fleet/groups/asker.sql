-- By who asks: the command, skill, plugin or sub-agent, where that is known.
SELECT
    period.*,
    coalesce(nullif(skill, ''), '(unknown)') AS name,
    CAST(NULL AS VARCHAR(64)) AS label
FROM period
