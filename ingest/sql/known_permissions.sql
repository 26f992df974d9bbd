-- Which events about permissions with those ids the store has.
SELECT replace(id::VARCHAR, '-', '')
FROM permission_events
WHERE id IN (SELECT unnest(from_json(?, '["UUID"]')));
