-- What was read of the lake.
SELECT count(*) AS rows, count(DISTINCT id) AS events, count(DISTINCT publisher) AS publishers FROM events
