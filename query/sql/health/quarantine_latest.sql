SELECT segment, "offset", reason, length
FROM quarantine
ORDER BY seen_at DESC, segment DESC, "offset" DESC
LIMIT ?;
