-- The lines in quarantine behind an id, a bounded number at a time.
SELECT id, segment, "offset", reason, bytes, length
FROM quarantine
WHERE id > ?
ORDER BY id
LIMIT ?;
