SELECT count(*), coalesce(sum(digest), 0)::VARCHAR FROM events;
