-- What was read.
SELECT count(*) AS rows, count(DISTINCT machine) AS machines FROM files
