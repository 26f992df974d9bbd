-- How many lines could not become events. $1 from (UTC), $2 until (UTC, exclusive).
SELECT count(*) FROM quarantine WHERE seen_at >= $1::TIMESTAMP AND seen_at < $2::TIMESTAMP;
