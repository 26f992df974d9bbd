-- The events that are rows of `hook_errors`.
SELECT
    1::UINTEGER AS v,
    replace(id::VARCHAR, '-', '') AS id,
    'hook_error' AS kind,
    ts,
    '' AS session_id,
    'unknown' AS session_kind,
    project,
    '' AS cwd,
    'restored' AS source,
    error_kind,
    error
FROM hook_errors;
