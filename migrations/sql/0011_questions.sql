-- The store: a function of the log (the segments in `<data>/events`), computed again whenever in doubt.
-- Nothing here is the only copy of anything. Earlier versions kept the log in the store; theirs are
-- computed again, so the numbering begins here.

-- Words of closed sets. 'unknown' stands for a word that this version does not know.
CREATE TYPE session_kind AS ENUM ('interactive', 'headless', 'spawned', 'unknown');
CREATE TYPE key_source AS ENUM ('marker', 'registry', 'family', 'fingerprint', 'unknown');
CREATE TYPE door AS ENUM ('two-way', 'one-way', 'unknown');
CREATE TYPE outcome AS ENUM ('open', 'answered', 'auto_decided', 'failed', 'dismissed');
CREATE TYPE ask_reason AS ENUM (
    'no_preference', 'always_ask', 'one_way', 'ambiguous', 'partial_call', 'split', 'spot_check', 'disabled', 'unknown'
);

-- One row a question, about in the order of time. Each kind of event fills its own columns, so that an
-- event may be applied twice (ingest/src/projection/question.rs has the rules). Lists of labels are JSON
-- text, which an ingest writes faster than list columns.
CREATE TABLE questions (
    -- hash of tool_use_id and question_index; finds the row
    id                      UBIGINT NOT NULL,
    -- when it came up (UTC): when it was asked, else decided, else when its outcome was logged
    ts                      TIMESTAMP NOT NULL,
    -- the day of `ts` in the person's time zone
    day                     DATE NOT NULL,
    project                 VARCHAR NOT NULL,
    session_id              VARCHAR NOT NULL,
    session_kind            session_kind NOT NULL,
    -- 'hook', or what it was imported from
    source                  VARCHAR NOT NULL,
    -- the tool that asked, and the sub-agent that called it
    tool_name               VARCHAR,
    agent_id                VARCHAR,
    tool_use_id             VARCHAR NOT NULL,
    question_index          UINTEGER NOT NULL,
    question_count          UINTEGER,
    question_key            VARCHAR NOT NULL,
    key_source              key_source NOT NULL,
    question                VARCHAR NOT NULL,
    header                  VARCHAR,
    -- JSON array: the labels as sent
    options                 VARCHAR,
    -- JSON arrays, one text an option or none at all; null where it was not logged
    descriptions            VARCHAR,
    previews                VARCHAR,
    recommended             VARCHAR,
    multi_select            BOOLEAN,
    door                    door NOT NULL,
    door_reason             VARCHAR,
    skill                   VARCHAR,
    outcome                 outcome NOT NULL,
    -- from asked to answered, shared among the questions of the call; null for what no person answered
    human_seconds           DOUBLE,
    -- asked
    asked_at                TIMESTAMP,
    ask_reason              ask_reason,
    -- what in particular, where the reason leaves that open
    ask_detail              VARCHAR,
    -- of a spot check: what would have been answered (JSON array), and by what
    spot_check_answer       VARCHAR,
    spot_check_preference   VARCHAR,
    spot_check_scope        VARCHAR,
    -- the usual answer was shown with it: true; else null
    assisted                BOOLEAN,
    -- auto_decided: JSON array of the labels; for a call that a reviewer turned down it is empty
    auto_decided_at         TIMESTAMP,
    auto_answer             VARCHAR,
    preference              VARCHAR,
    preference_scope        VARCHAR,
    mechanism               VARCHAR,
    auto_reason             VARCHAR,
    -- why plantune could: 'standing', 'trial' or 'away'; null in events of early versions
    level                   VARCHAR,
    -- answered: JSON array of the labels as sent; the name is what answers are counted by: the labels
    -- without marks of recommendation, joined, or '(typed)' or '(noted)'
    answered_at             TIMESTAMP,
    answer                  VARCHAR,
    answer_name             VARCHAR,
    free_text               VARCHAR,
    notes                   VARCHAR,
    was_auto_decided        BOOLEAN,
    followed_recommendation BOOLEAN,
    -- dismissed
    dismissed_at            TIMESTAMP,
    dismissed_reason        VARCHAR,
    -- failed
    failed_at               TIMESTAMP,
    error_kind              VARCHAR,
    error                   VARCHAR
);

-- Whose answers count: the person's own, given in a session of theirs to a question that they were
-- asked. Not those of sub-agents, of sessions without a person, of preferences, nor those that the model
-- sent along; nor an answer whose question no hook and no transcript knows.
CREATE VIEW own_answers AS
SELECT rowid AS number, *
FROM questions
WHERE
    session_kind = 'interactive'
    AND outcome = 'answered'
    AND was_auto_decided IS NOT true
    AND agent_id IS NULL
    -- One condition, not two with OR, which takes DuckDB twice as long.
    AND coalesce(asked_at, auto_decided_at) IS NOT NULL
    AND ask_detail IS DISTINCT FROM 'answers_in_input';

-- What the events session_started and session_ended say; a session without either has no row.
CREATE TABLE sessions (
    session_id   VARCHAR NOT NULL,
    session_kind session_kind NOT NULL,
    project      VARCHAR NOT NULL,
    -- the first and the last of these events
    first_at     TIMESTAMP NOT NULL,
    last_at      TIMESTAMP NOT NULL,
    ended_at     TIMESTAMP
);

-- What the person changed: the events preference_changed.
CREATE TABLE preference_changes (
    id               UUID NOT NULL,
    ts               TIMESTAMP NOT NULL,
    day              DATE NOT NULL,
    project          VARCHAR NOT NULL,
    session_id       VARCHAR NOT NULL,
    tool_use_id      VARCHAR,
    question_index   UINTEGER,
    question_key     VARCHAR,
    key_source       key_source NOT NULL,
    question         VARCHAR,
    header           VARCHAR,
    options          VARCHAR,
    recommended      VARCHAR,
    multi_select     BOOLEAN,
    preference       VARCHAR,
    preference_scope VARCHAR,
    answer           VARCHAR,
    reason           VARCHAR,
    detail           VARCHAR
);

-- What went wrong inside the hook.
CREATE TABLE hook_errors (
    id         UUID NOT NULL,
    ts         TIMESTAMP NOT NULL,
    day        DATE NOT NULL,
    project    VARCHAR NOT NULL,
    error_kind VARCHAR,
    error      VARCHAR
);

-- How far each segment of the log has been read.
CREATE TABLE segments (
    segment      VARCHAR NOT NULL,
    -- bytes read: behind the last complete line; of a compressed or sealed file, all of it
    "offset"     UBIGINT NOT NULL,
    -- the file's length in bytes and modification time (nanoseconds since 1970) when it was read
    length       UBIGINT NOT NULL,
    modified_ns  BIGINT NOT NULL,
    -- hash of the last 4 KiB before the offset; null at the start and for files that are read whole
    tail         VARCHAR,
    events       UBIGINT NOT NULL,
    -- the latest event that the hook itself logged
    last_hook_at TIMESTAMP,
    -- why the rest of a compressed or sealed file cannot be read
    damage       VARCHAR
);

-- Lines that could not become events: kept, counted and shown. Of an overlong line only the beginning is
-- kept in `bytes`; `length` is its whole length. `day` is the segment's, else that of its last change.
CREATE TABLE quarantine (
    segment  VARCHAR NOT NULL,
    "offset" UBIGINT NOT NULL,
    length   UBIGINT NOT NULL,
    day      DATE NOT NULL,
    reason   VARCHAR NOT NULL,
    bytes    BLOB NOT NULL
);

-- What the store was computed with: 'time_zone'.
CREATE TABLE settings (
    name  VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);
