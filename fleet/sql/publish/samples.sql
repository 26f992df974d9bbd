-- As they will stand in the lake; a merge patch (RFC 7396) leaves out what is null.
SELECT json_merge_patch('{}', to_json(event))::VARCHAR
FROM (
    SELECT * EXCLUDE (day, journal_key) REPLACE (strftime(ts, '%Y-%m-%dT%H:%M:%S.%gZ') AS ts)
    FROM incoming
    ORDER BY ts, id, journal_key
    LIMIT ?
) AS event;
