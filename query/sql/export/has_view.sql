-- Whether the view of the log is there.
SELECT count(*) > 0 FROM duckdb_views() WHERE view_name = 'events' AND NOT internal;
