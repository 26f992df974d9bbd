-- The whole log, each event once: of several with one id the first.
CREATE OR REPLACE TEMP VIEW whole_log AS
FROM events_of_log()
QUALIFY row_number() OVER (PARTITION BY id ORDER BY ts) = 1;
