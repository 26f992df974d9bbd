-- How long each question kept its agent waiting (../waiting.sql). The macro reads the table, not the view of its name.
INSERT INTO known_waits
WITH questions AS NOT MATERIALIZED (SELECT rowid, * FROM plantune.main.questions)
SELECT number, waited_seconds
FROM shared_waits('0001-01-01'::DATE, '9999-12-31'::DATE, NULL::VARCHAR);
