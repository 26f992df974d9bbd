-- The calls that the log and the questions tell of, each as often as they do.
SELECT
    (SELECT list(tool_use_id ORDER BY tool_use_id) FROM events)::VARCHAR[]::VARCHAR,
    (SELECT list(tool_use_id ORDER BY tool_use_id) FROM questions)::VARCHAR[]::VARCHAR,
    (SELECT sum(asked) FROM daily)::UBIGINT,
    (SELECT sum(answered) FROM daily)::UBIGINT,
    (SELECT count(*) FROM quarantine)::UBIGINT;
