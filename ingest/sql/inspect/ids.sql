-- Whether the ids of the log's events and the list of ids are the same, each once.
SELECT
    count(*) FILTER (in_log > 1)::UBIGINT AS doubled_in_log,
    count(*) FILTER (in_list > 1)::UBIGINT AS doubled_in_list,
    count(*) FILTER (in_list = 0)::UBIGINT AS missing_in_list,
    count(*) FILTER (in_log = 0)::UBIGINT AS missing_in_log
FROM (
    SELECT sum(in_log) AS in_log, sum(in_list) AS in_list
    FROM (
        SELECT id, 1 AS in_log, 0 AS in_list FROM log
        UNION ALL
        SELECT printf('%016x%016x', hi, lo)::UUID, 0, 1 FROM event_ids
    )
    GROUP BY id
);
