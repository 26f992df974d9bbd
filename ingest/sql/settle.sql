-- Something to write, which changes nothing: DuckDB cuts the write-ahead log behind its last whole commit
-- before it appends to it. Nothing of what it shows meanwhile may get into the file.
PRAGMA disable_checkpoint_on_shutdown;
BEGIN;
CREATE OR REPLACE TABLE settling (settled BOOLEAN);
DROP TABLE settling;
COMMIT;
