-- The log: every event once, as the spool has it. `batch` is the ingest transaction that brought
-- the row, so that a transaction finds its own rows by zone map instead of scanning the log.
-- `answer_name` is derived when a row is read in: the labels without marks of recommendation,
-- joined, or '(typed)' or '(noted)'; it is what answers are counted by.
CREATE TABLE events (
    batch                   UINTEGER NOT NULL,
    id                      UUID NOT NULL,
    ts                      TIMESTAMP NOT NULL,
    kind                    VARCHAR NOT NULL,
    session_id              VARCHAR NOT NULL,
    session_kind            VARCHAR NOT NULL,
    project                 VARCHAR NOT NULL,
    cwd                     VARCHAR NOT NULL,
    permission_mode         VARCHAR,
    entrypoint              VARCHAR,
    agent_id                VARCHAR,
    source                  VARCHAR NOT NULL,
    tool_name               VARCHAR,
    tool_use_id             VARCHAR,
    question_index          UINTEGER,
    question_count          UINTEGER,
    question_key            VARCHAR,
    key_source              VARCHAR,
    question                VARCHAR,
    header                  VARCHAR,
    options                 VARCHAR[],
    recommended             VARCHAR,
    multi_select            BOOLEAN,
    door                    VARCHAR,
    door_reason             VARCHAR,
    skill                   VARCHAR,
    ask_reason              VARCHAR,
    answer                  VARCHAR[],
    free_text               VARCHAR,
    notes                   VARCHAR,
    was_auto_decided        BOOLEAN,
    followed_recommendation BOOLEAN,
    preference              VARCHAR,
    preference_scope        VARCHAR,
    mechanism               VARCHAR,
    error                   VARCHAR,
    error_kind              VARCHAR,
    reason                  VARCHAR,
    detail                  VARCHAR,
    truncated               BOOLEAN NOT NULL,
    answer_name             VARCHAR
);

-- How far each spool segment is in the log. `head` identifies the segment's content (a hash of
-- its first line), so that a segment replaced under the same name is read from its start.
CREATE TABLE segments (
    segment  VARCHAR PRIMARY KEY,
    head     VARCHAR NOT NULL,
    "offset" UBIGINT NOT NULL,
    events   UBIGINT NOT NULL,
    read_at  TIMESTAMP NOT NULL
);

-- Lines that could not become events: kept, counted and shown, never dropped. `id` is a hash of
-- the segment's head, the offset and the bytes, so that a line read again stays one row. Of an
-- overlong line only the beginning is kept in `bytes`; `length` is its whole length.
CREATE TABLE quarantine (
    id       VARCHAR PRIMARY KEY,
    segment  VARCHAR NOT NULL,
    "offset" UBIGINT NOT NULL,
    reason   VARCHAR NOT NULL,
    bytes    BLOB NOT NULL,
    length   UBIGINT NOT NULL,
    seen_at  TIMESTAMP NOT NULL
);

-- One row an ingest transaction.
CREATE TABLE batches (
    batch       UINTEGER NOT NULL,
    read_at     TIMESTAMP NOT NULL,
    events      UBIGINT NOT NULL,
    duplicates  UBIGINT NOT NULL,
    quarantined UBIGINT NOT NULL
);

-- What the projections below were computed with; a change of zone rebuilds them.
CREATE TABLE settings (
    name  VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);
