-- The whole log, each event once.
CREATE OR REPLACE TEMP VIEW whole_log AS
FROM whole_log_rows();
