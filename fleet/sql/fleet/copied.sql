-- The events that there are several copies of: two machines know one call, or a machine lost its journal and
-- published again. They are few, and only they must be put in an order.
SELECT id FROM events GROUP BY id HAVING count(*) > 1
