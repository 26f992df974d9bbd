SELECT segment, count(*) FROM quarantine GROUP BY segment;
