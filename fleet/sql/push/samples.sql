-- As they will stand in the lake; a merge patch (RFC 7396) leaves out what is null.
SELECT json_merge_patch('{}', to_json(event))::VARCHAR AS row
FROM (
    SELECT * EXCLUDE (v) REPLACE (strftime(ts, '%Y-%m-%dT%H:%M:%S.%gZ') AS ts) FROM due ORDER BY ts, id LIMIT ?
) AS event;
