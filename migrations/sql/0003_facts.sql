-- Facts and dimensions. Before, a question's texts were written three times, in the log, in its
-- projection and in its day's rollup, and the forty columns of a row were most of an ingest's work.
-- Now what repeats is written once, in dimensions with a number a row, and what is counted is a
-- narrow row of numbers. Numbers are unique; the content of a dimension need not be: a row that was
-- forgotten by the run that wrote it is written again by the next.
--
-- `events`, `questions`, `sessions` and `daily` stay what a person reads, as views.

-- Where an event came from: what the events of a session have in common.
CREATE TABLE contexts (
    number          UINTEGER NOT NULL,
    session_id      VARCHAR NOT NULL,
    session_kind    VARCHAR NOT NULL,
    project         VARCHAR NOT NULL,
    cwd             VARCHAR NOT NULL,
    permission_mode VARCHAR,
    entrypoint      VARCHAR,
    agent_id        VARCHAR,
    source          VARCHAR NOT NULL
);

-- What the askings of a question have in common.
CREATE TABLE forms (
    number         UINTEGER NOT NULL,
    tool_name      VARCHAR,
    question_count UINTEGER,
    question_key   VARCHAR,
    key_source     VARCHAR,
    header         VARCHAR,
    options        VARCHAR[],
    recommended    VARCHAR,
    multi_select   BOOLEAN,
    door           VARCHAR,
    door_reason    VARCHAR,
    skill          VARCHAR
);

-- One asking, as its events describe it.
CREATE TABLE wordings (
    number         UINTEGER NOT NULL,
    form           UINTEGER NOT NULL,
    tool_use_id    VARCHAR,
    question_index UINTEGER,
    question       VARCHAR
);

-- What an event tells beyond the question. `answer_name`: see 0001_event_log.sql.
CREATE TABLE details (
    number                  UINTEGER NOT NULL,
    kind                    VARCHAR NOT NULL,
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

-- The log: every event once.
CREATE TABLE log (
    batch   UINTEGER NOT NULL,
    id      UUID NOT NULL,
    ts      TIMESTAMP NOT NULL,
    context UINTEGER NOT NULL,
    wording UINTEGER NOT NULL,
    detail  UINTEGER NOT NULL
);

-- The ids in the log, as two halves because those prune a scan and whole ones do not, each
-- transaction's in their order: looking one up reads a few blocks of each, and no index has to
-- fit into memory.
CREATE TABLE event_ids (
    hi UBIGINT NOT NULL,
    lo UBIGINT NOT NULL
);

INSERT INTO contexts
SELECT row_number() OVER (), session_id, session_kind, project, cwd, permission_mode, entrypoint, agent_id, source
FROM (
    SELECT DISTINCT session_id, session_kind, project, cwd, permission_mode, entrypoint, agent_id, source
    FROM events
);

INSERT INTO forms
SELECT
    row_number() OVER (), tool_name, question_count, question_key, key_source, header, options,
    recommended, multi_select, door, door_reason, skill
FROM (
    SELECT DISTINCT
        tool_name, question_count, question_key, key_source, header, options, recommended, multi_select,
        door, door_reason, skill
    FROM events
);

CREATE TEMP TABLE numbered AS
SELECT *, row_number() OVER (ORDER BY batch, ts, id) AS number FROM events;

INSERT INTO wordings
SELECT numbered.number, forms.number, tool_use_id, question_index, question
FROM numbered
JOIN forms
    ON forms.tool_name IS NOT DISTINCT FROM numbered.tool_name
    AND forms.question_count IS NOT DISTINCT FROM numbered.question_count
    AND forms.question_key IS NOT DISTINCT FROM numbered.question_key
    AND forms.key_source IS NOT DISTINCT FROM numbered.key_source
    AND forms.header IS NOT DISTINCT FROM numbered.header
    AND forms.options IS NOT DISTINCT FROM numbered.options
    AND forms.recommended IS NOT DISTINCT FROM numbered.recommended
    AND forms.multi_select IS NOT DISTINCT FROM numbered.multi_select
    AND forms.door IS NOT DISTINCT FROM numbered.door
    AND forms.door_reason IS NOT DISTINCT FROM numbered.door_reason
    AND forms.skill IS NOT DISTINCT FROM numbered.skill;

INSERT INTO details
SELECT
    number, kind, ask_reason, answer, free_text, notes, was_auto_decided, followed_recommendation,
    preference, preference_scope, mechanism, error, error_kind, reason, detail, truncated, answer_name
FROM numbered;

INSERT INTO log
SELECT batch, id, ts, contexts.number, numbered.number, numbered.number
FROM numbered
JOIN contexts
    ON contexts.session_id = numbered.session_id
    AND contexts.session_kind = numbered.session_kind
    AND contexts.project = numbered.project
    AND contexts.cwd = numbered.cwd
    AND contexts.permission_mode IS NOT DISTINCT FROM numbered.permission_mode
    AND contexts.entrypoint IS NOT DISTINCT FROM numbered.entrypoint
    AND contexts.agent_id IS NOT DISTINCT FROM numbered.agent_id
    AND contexts.source = numbered.source;

INSERT INTO event_ids
SELECT
    CAST('0x' || digits[1:16] AS UBIGINT) AS hi,
    CAST('0x' || digits[17:32] AS UBIGINT) AS lo
FROM (SELECT replace(CAST(id AS VARCHAR), '-', '') AS digits FROM events)
ORDER BY hi, lo;

DROP TABLE numbered;
DROP TABLE events;
DROP TABLE questions;
DROP TABLE sessions;
DROP TABLE daily;
DROP TABLE daily_answers;
DROP TABLE daily_sessions;
DROP TABLE daily_errors;

-- A zone that is none makes the next writer compute the projections anew.
UPDATE settings SET value = '' WHERE name = 'time_zone';

CREATE VIEW events AS
SELECT
    log.batch, log.id, log.ts, details.kind,
    contexts.session_id, contexts.session_kind, contexts.project, contexts.cwd,
    contexts.permission_mode, contexts.entrypoint, contexts.agent_id, contexts.source,
    forms.tool_name, wordings.tool_use_id, wordings.question_index, forms.question_count,
    forms.question_key, forms.key_source, wordings.question, forms.header, forms.options,
    forms.recommended, forms.multi_select, forms.door, forms.door_reason, forms.skill,
    details.ask_reason, details.answer, details.free_text, details.notes, details.was_auto_decided,
    details.followed_recommendation, details.preference, details.preference_scope,
    details.mechanism, details.error, details.error_kind, details.reason, details.detail,
    details.truncated, details.answer_name
FROM log
JOIN contexts ON contexts.number = log.context
JOIN wordings ON wordings.number = log.wording
JOIN forms ON forms.number = wordings.form
JOIN details ON details.number = log.detail;
