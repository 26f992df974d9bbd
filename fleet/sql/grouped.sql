-- The questions and prompts of the period by the groups that they are shown in: `parts` are those that are wanted.
-- A week is called by its Monday (1970-01-01 was a Thursday). Who was away spent no time answering.
SELECT
    part,
    CASE part
        WHEN 'week' THEN CAST(DATE '1970-01-01' + CAST(put_day - (put_day + 3) % 7 AS INT) AS VARCHAR(20))
        WHEN 'question' THEN question_key
        WHEN 'asker' THEN coalesce(nullif(skill, ''), '(unknown)')
        WHEN 'session kind' THEN coalesce(session_kind, 'unknown')
        WHEN 'error' THEN coalesce(error_kind, 'unknown')
        ELSE 'all'
    END AS name,
    CASE WHEN part = 'question' THEN key_name END AS label,
    machine, project, nullif(session_id, '') AS session_id, session_kind, question_index, question_key, key_source,
    ended, answer_hash, answer_name, followed, barred,
    CASE WHEN call_us <= away_us THEN human_us END AS present_us,
    CASE WHEN call_us > away_us THEN human_us END AS awaited_us
FROM (
    SELECT
        questions.*,
        settings.away_us,
        CAST(floor(CAST(put_us AS DOUBLE) / 86400000000) AS BIGINT) AS put_day,
        CASE WHEN outcome = 'open' AND put_us < open_from_us THEN 'dismissed' ELSE outcome END AS ended
    FROM questions
    CROSS JOIN settings
    WHERE put_us >= first_us AND put_us < end_us
) AS period
CROSS JOIN parts
WHERE part IN ('total', 'week', 'question', 'asker', 'session kind') OR (part = 'error' AND ended = 'failed')
UNION ALL
SELECT
    part, CASE part WHEN 'tool' THEN tool_name ELSE 'all' END, NULL, machine, project, NULL, NULL, NULL, NULL, NULL,
    outcome, NULL, NULL, NULL, NULL, waited_us, NULL
FROM prompts
CROSS JOIN settings
CROSS JOIN parts
WHERE put_us >= first_us AND put_us < end_us AND part IN ('prompts', 'tool')
