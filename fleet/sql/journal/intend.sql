-- $1 the UTC day, $2 the file, $3 how many events it holds.
INSERT INTO files
SELECT coalesce(max(sequence), 0) + 1, $1, $3, $2, NULL FROM files;
