-- How far each segment of the log has been read, in bytes, and why no further if it is damaged.
SELECT segment, "offset", damage FROM segments ORDER BY segment;
