-- The lines in quarantine, the latest first; of each only as much of its bytes as is shown.
SELECT segment, "offset", length, day, reason, array_slice(bytes, 1, 400) AS start
FROM quarantine
ORDER BY day DESC, segment DESC, "offset" DESC
LIMIT ?;
