-- How far each segment of the spool has been read, in bytes.
SELECT segment, "offset" FROM segments ORDER BY segment;
