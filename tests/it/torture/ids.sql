-- The calls that questions are about, each as often as questions are, and how much of them is known.
SELECT
    (SELECT list(tool_use_id ORDER BY tool_use_id) FROM questions)::VARCHAR[]::VARCHAR,
    (SELECT count(asked_at) FROM questions)::UBIGINT,
    (SELECT count(*) FROM questions WHERE outcome = 'answered')::UBIGINT,
    (SELECT sum(events) FROM segments)::UBIGINT,
    (SELECT count(*) FROM quarantine)::UBIGINT;
