-- How far each segment of the log has been read, in bytes and events, and why no further if it is damaged.
SELECT segment, "offset", events, damage FROM segments ORDER BY segment;
