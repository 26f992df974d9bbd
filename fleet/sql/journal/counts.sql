SELECT
    count(*) FILTER (done_at IS NOT NULL)::UBIGINT AS files,
    count(*) FILTER (done_at IS NULL)::UBIGINT AS pending,
    coalesce(sum(events) FILTER (done_at IS NOT NULL), 0)::UBIGINT AS events,
    max(done_at) AS last
FROM files;
