-- The lines in quarantine, the latest found first; of each only as much of its bytes as is shown.
SELECT id, seen_at, segment, "offset", length, reason, array_slice(bytes, 1, 400) AS start
FROM quarantine
ORDER BY seen_at DESC, segment DESC, "offset" DESC
LIMIT ?;
