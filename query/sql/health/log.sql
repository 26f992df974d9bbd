-- How much the log holds, and when it last grew; imports bring old events, so the hook's own are
-- told apart.
SELECT
    count(*) AS events,
    max(ts) AS last_at,
    max(ts) FILTER (WHERE source = 'hook') AS last_hook_at
FROM events;
