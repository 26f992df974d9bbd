-- How much the log holds, and when it last grew; imports bring old events, so the hook's own are
-- told apart.
SELECT
    count(*) AS events,
    max(log.ts) AS last_at,
    max(log.ts) FILTER (WHERE contexts.source = 'hook') AS last_hook_at
FROM log
JOIN contexts ON contexts.number = log.context;
