-- How many rows the relation $1 has.
SELECT rows
FROM (
    SELECT 'events' AS relation, count(*)::UBIGINT AS rows FROM events
    UNION ALL
    SELECT 'log', count(*)::UBIGINT FROM log
    UNION ALL
    SELECT 'event_ids', count(*)::UBIGINT FROM event_ids
)
WHERE relation = ?;
