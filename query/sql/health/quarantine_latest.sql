SELECT segment, "offset", reason, length
FROM quarantine
ORDER BY day DESC, segment DESC, "offset" DESC
LIMIT ?;
