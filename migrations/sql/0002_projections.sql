-- Projections: computed from `events` alone, kept up in the transaction that appends to it, and
-- rebuilt by `plantune ingest --rebuild`.

-- One row a question: what was asked, and how it ended. `day` is the day of `put_at` in the person's
-- time zone. `described_by` ranks the event that the description was taken from (asked before
-- auto-decided before any outcome: 0 to 4), so that the order of arrival does not matter.
CREATE TABLE questions (
    -- the ingest transaction that last touched the row
    batch                   UINTEGER NOT NULL,
    day                     DATE NOT NULL,
    put_at                  TIMESTAMP NOT NULL,
    tool_use_id             VARCHAR NOT NULL,
    question_index          UINTEGER NOT NULL,
    question_count          UINTEGER,
    described_by            UINTEGER NOT NULL,
    session_id              VARCHAR NOT NULL,
    session_kind            VARCHAR NOT NULL,
    project                 VARCHAR NOT NULL,
    tool_name               VARCHAR,
    question_key            VARCHAR NOT NULL,
    key_source              VARCHAR NOT NULL,
    question                VARCHAR NOT NULL,
    header                  VARCHAR,
    options                 VARCHAR[],
    recommended             VARCHAR,
    multi_select            BOOLEAN,
    door                    VARCHAR NOT NULL,
    door_reason             VARCHAR,
    skill                   VARCHAR,
    -- answered, auto_decided, failed, dismissed, or open
    outcome                 VARCHAR NOT NULL,
    asked_at                TIMESTAMP,
    auto_decided_at         TIMESTAMP,
    answered_at             TIMESTAMP,
    dismissed_at            TIMESTAMP,
    failed_at               TIMESTAMP,
    ask_reason              VARCHAR,
    -- what came back (labels as sent), and what a preference had answered
    answer                  VARCHAR[],
    free_text               VARCHAR,
    notes                   VARCHAR,
    answer_name             VARCHAR,
    was_auto_decided        BOOLEAN,
    followed_recommendation BOOLEAN,
    auto_answer             VARCHAR[],
    auto_answer_name        VARCHAR,
    preference              VARCHAR,
    preference_scope        VARCHAR,
    mechanism               VARCHAR,
    reason                  VARCHAR,
    error_kind              VARCHAR,
    error                   VARCHAR,
    -- from asked to answered, shared among the questions of the call; null for what no person answered
    human_seconds           DOUBLE
);

-- One row a session of the agent, for what was still open when it went on or ended.
CREATE TABLE sessions (
    session_id   VARCHAR NOT NULL,
    session_kind VARCHAR NOT NULL,
    first_at     TIMESTAMP NOT NULL,
    last_at      TIMESTAMP NOT NULL,
    ended_at     TIMESTAMP
);

-- Rollup: one row a day, project, question key and session kind. Reports read nothing else but
-- the rollups.
CREATE TABLE daily (
    day            DATE NOT NULL,
    project        VARCHAR NOT NULL,
    question_key   VARCHAR NOT NULL,
    session_kind   VARCHAR NOT NULL,
    key_source     VARCHAR NOT NULL,
    -- as last put that day
    question       VARCHAR NOT NULL,
    header         VARCHAR,
    options        VARCHAR[],
    door           VARCHAR NOT NULL,
    last_at        TIMESTAMP NOT NULL,
    calls          UINTEGER NOT NULL,
    asked          UINTEGER NOT NULL,
    answered       UINTEGER NOT NULL,
    auto_decided   UINTEGER NOT NULL,
    failed         UINTEGER NOT NULL,
    dismissed      UINTEGER NOT NULL,
    open           UINTEGER NOT NULL,
    -- of the person's answers: took the recommendation, did not, and had none to take
    followed       UINTEGER NOT NULL,
    overrode       UINTEGER NOT NULL,
    unrecommended  UINTEGER NOT NULL,
    -- one entry per answer of the person's, in seconds
    human_seconds  DOUBLE[] NOT NULL
);

-- Rollup: the person's answers by name: labels without marks, '(typed)' or '(noted)'.
CREATE TABLE daily_answers (
    day          DATE NOT NULL,
    project      VARCHAR NOT NULL,
    question_key VARCHAR NOT NULL,
    answer       VARCHAR NOT NULL,
    times        UINTEGER NOT NULL
);

-- Rollup: which sessions had questions on which day.
CREATE TABLE daily_sessions (
    day          DATE NOT NULL,
    project      VARCHAR NOT NULL,
    session_id   VARCHAR NOT NULL,
    session_kind VARCHAR NOT NULL
);

-- Rollup: failures by kind.
CREATE TABLE daily_errors (
    day        DATE NOT NULL,
    project    VARCHAR NOT NULL,
    error_kind VARCHAR NOT NULL,
    times      UINTEGER NOT NULL
);
