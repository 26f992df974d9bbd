-- Reasons carry details of their line; what they begin with is their kind.
SELECT
    CASE
        WHEN starts_with(reason, 'torn line') THEN 'torn'
        WHEN starts_with(reason, 'not UTF-8') THEN 'not_utf8'
        WHEN starts_with(reason, 'not JSON') THEN 'not_json'
        WHEN starts_with(reason, 'schema version') THEN 'schema_version'
        WHEN starts_with(reason, 'not an event') THEN 'not_an_event'
        WHEN starts_with(reason, 'line of') THEN 'too_long'
        ELSE 'other'
    END AS kind,
    count(*) AS lines,
    max(day) AS last_day
FROM quarantine
GROUP BY kind
ORDER BY lines DESC, kind;
