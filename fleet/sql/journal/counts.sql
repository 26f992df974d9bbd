SELECT
    count(*) FILTER (done_at IS NOT NULL)::UBIGINT,
    count(*) FILTER (done_at IS NULL)::UBIGINT,
    coalesce(sum(events) FILTER (done_at IS NOT NULL), 0)::UBIGINT,
    max(done_at)
FROM files;
