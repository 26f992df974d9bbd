-- The segments with a line in quarantine that is longer than $1 bytes, its end included.
SELECT segment
FROM quarantine
GROUP BY segment
HAVING max(length) + 1 > $1;
