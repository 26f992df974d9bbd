-- The exported events as JSON, a row each, as docs/development/events.md describes lines: a merge patch (RFC 7396) leaves
-- out what is null, and takes the unknown fields back in.
SELECT
    json_merge_patch(
        '{}',
        to_json(event),
        json_object('extra', NULL),
        coalesce(extra::JSON, '{}')
    )::VARCHAR AS line
FROM (
    SELECT * REPLACE (strftime(ts, '%Y-%m-%dT%H:%M:%S.%gZ') AS ts) FROM exported
) AS event;
