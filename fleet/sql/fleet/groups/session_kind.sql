-- By the kind of session.
SELECT period.*, coalesce(session_kind, 'unknown') AS name, CAST(NULL AS VARCHAR(64)) AS label FROM period
