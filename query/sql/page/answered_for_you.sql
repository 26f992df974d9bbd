-- What was decided without the person in the period, by question, answer and what decided, the most frequent
-- first. `decided_by` has the names of `totals.auto_decided_by` in the report.
-- $1 first day, $2 last day, $3 project or NULL.
SELECT
    question_key,
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
    max(ts) AS last_at
FROM questions
WHERE
    outcome = 'auto_decided'
    AND day BETWEEN $1::DATE AND $2::DATE
    AND ($3::VARCHAR IS NULL OR project = $3)
GROUP BY question_key, project, auto_answer, decided_by
ORDER BY times DESC, question_key, project, answer, decided_by;
