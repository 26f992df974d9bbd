-- Runs' transactions whose events are not as many as they brought: rebuilding goes by them.
SELECT count(*)::UBIGINT
FROM (SELECT batch, count(*) AS events FROM log GROUP BY batch) AS found
FULL JOIN batches ON batches.batch = found.batch
WHERE coalesce(found.events, 0) <> coalesce(batches.events, 0);
