-- By who asks: the skill or plugin where a transcript names it, else what the ids of its markers begin with.
SELECT
    period.*,
    CASE
        WHEN skill IS NOT NULL AND skill <> '' THEN skill
        WHEN key_source = 'marker' AND question_key LIKE '_%-_%' AND question_key NOT LIKE '-%'
            THEN split_part(question_key, '-', 1)
        ELSE '(unknown)'
    END AS name,
    CAST(NULL AS VARCHAR(64)) AS label
FROM period
