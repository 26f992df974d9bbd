-- What decides which of several events with one id stay.
SELECT rowid::UBIGINT AS row, id, ts, kind, source, tool_use_id, question_index, question_key, skill
FROM events
WHERE id IN (SELECT id FROM events GROUP BY id HAVING count(*) > 1);
