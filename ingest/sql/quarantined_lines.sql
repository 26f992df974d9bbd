-- How many lines of each segment are in quarantine; a segment with such lines is not dropped.
SELECT segment, count(*)::UBIGINT FROM quarantine GROUP BY segment;
