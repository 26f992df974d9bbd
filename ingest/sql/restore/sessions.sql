-- Events that give the rows of `sessions`: a start at the first and at the last that is known of each, and its end.
SELECT DISTINCT
    1::UINTEGER AS v,
    NULL::VARCHAR AS id,
    event.kind,
    event.ts,
    session_id,
    session_kind::VARCHAR AS session_kind,
    project,
    '' AS cwd,
    'restored' AS source
FROM (
    SELECT
        *,
        unnest([
            {kind: if(first_at = ended_at, 'session_ended', 'session_started'), ts: first_at},
            {kind: if(last_at = ended_at, 'session_ended', 'session_started'), ts: last_at},
            {kind: 'session_ended', ts: ended_at}
        ]) AS event
    FROM sessions
)
WHERE event.ts IS NOT NULL;
