-- Which of the events an import found are in the log already.
SELECT events.id::VARCHAR
FROM events
SEMI JOIN imported_ids() AS imported ON events.id = imported.id;
