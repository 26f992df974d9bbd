SELECT count(*) > 0 FROM (SELECT 1 FROM events LIMIT 1);
