-- One row: the journal's format, and the publisher's random id.
CREATE TABLE IF NOT EXISTS about (version UINTEGER NOT NULL, publisher VARCHAR NOT NULL);

-- The files, numbered from 1 without a gap. The content stays until the file is in the lake for certain.
CREATE TABLE IF NOT EXISTS files (
    sequence UBIGINT NOT NULL,
    date     DATE NOT NULL,
    events   UBIGINT NOT NULL,
    content  BLOB,
    done_at  VARCHAR
);

-- What the events are known by that stand in these files: a hash of id, source and time.
CREATE TABLE IF NOT EXISTS published (journal_key VARCHAR NOT NULL);
