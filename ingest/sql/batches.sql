-- Neighbouring batches, about $1 events at a time: the first and the last of each group.
SELECT min(batch), max(batch)
FROM (
    SELECT batch, (sum(events) OVER (ORDER BY batch) // ?)::UBIGINT AS part FROM batches
)
GROUP BY part
ORDER BY part;
