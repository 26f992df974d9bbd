-- What was read of the lake.
SELECT count(*) AS rows_read, count(DISTINCT id) AS events, count(DISTINCT publisher) AS publishers FROM events
