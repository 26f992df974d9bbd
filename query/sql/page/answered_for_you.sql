-- What was decided without the person in the period, by question, answer and what decided, the most frequent
-- first, and how often the person took it back. `decided_by` has the names of `totals.auto_decided_by` in the report.
-- Reads the variable `request`.
SELECT
    name AS question_key,
    project,
    max_by(question, ts) AS question,
    auto_answer AS answer,
    CASE
        WHEN preference = 'reask' THEN 'session'
        WHEN preference = 'reviewer' AND auto_reason = 'denied' THEN 'turned_down'
        WHEN preference IN ('reviewer', 'away') THEN preference
        ELSE 'preferences'
    END AS decided_by,
    count(*)::UBIGINT AS times,
    count(undone.tool_use_id)::UBIGINT AS undone,
    max(ts) AS last_at
FROM named_questions(
    getvariable('request').first_day, getvariable('request').last_day, getvariable('request').project
) AS questions
LEFT JOIN undone_answers AS undone
    ON undone.tool_use_id = questions.tool_use_id AND undone.question_index = questions.question_index
WHERE outcome = 'auto_decided'
GROUP BY name, project, auto_answer, decided_by
ORDER BY times DESC, name, project, answer, decided_by;
