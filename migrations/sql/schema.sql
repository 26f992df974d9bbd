-- The store: a function of the log (the segments in `<data>/events`), computed again whenever in doubt.
-- Nothing here is the only copy of anything. Who changes this file raises `VERSION` in `migrations/src/lib.rs`: a store
-- of another version is computed again.

-- Words of closed sets. 'unknown' stands for a word that this version does not know.
CREATE TYPE session_kind AS ENUM ('interactive', 'headless', 'spawned', 'unknown');
CREATE TYPE key_source AS ENUM ('marker', 'registry', 'options', 'text', 'unknown');
CREATE TYPE door AS ENUM ('two-way', 'one-way', 'unknown');
CREATE TYPE outcome AS ENUM ('open', 'answered', 'auto_decided', 'failed', 'dismissed');
CREATE TYPE ask_reason AS ENUM (
    'no_preference', 'always_ask', 'one_way', 'ambiguous', 'partial_call', 'split', 'spot_check', 'after_denial',
    'disabled', 'unknown'
);

-- One row a question, about in the order of time. Each kind of event fills its own columns, so that an
-- event may be applied twice (ingest/src/projection/mod.rs has the rules). Lists of labels are JSON
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
    -- who it is put to: the tool that asked, or the program that answers it in the person's place
    -- (hooks/domain/src/events/session_kind.rs); answers count for their host alone
    host                    VARCHAR,
    -- the sub-agent that called the tool
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
    -- the labels that had been selected before; they are nobody's answer
    dismissed_answer        VARCHAR,
    -- failed
    failed_at               TIMESTAMP,
    error_kind              VARCHAR,
    error                   VARCHAR,
    -- which agent it is; null for Claude Code
    agent                   VARCHAR
);

-- Whose answers count: the person's own, given in a session of theirs to a question that they were
-- asked. Not those of sub-agents, of sessions without a person, of preferences, nor those that the model
-- sent along; nor an answer whose question no hook and no transcript knows.
CREATE VIEW own_answers AS
SELECT
    rowid AS number,
    -- A program's answers neither count with a person's nor push them out.
    coalesce(starts_with(host, 'sdk-'), false) AS of_program,
    *
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

-- What was answered for the person and they took back: the questions.
CREATE VIEW undone_answers AS
SELECT DISTINCT tool_use_id, coalesce(question_index, 0) AS question_index
FROM preference_changes
WHERE reason IN ('undo', 'undo away') AND tool_use_id IS NOT NULL;

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
    -- bytes read: behind the last complete line; of a sealed file, all of it
    "offset"     UBIGINT NOT NULL,
    -- the file's length in bytes and modification time (nanoseconds since 1970) when it was read
    length       UBIGINT NOT NULL,
    modified_ns  BIGINT NOT NULL,
    -- hash of the last 4 KiB before the offset; null at the start and for files that are read whole
    tail         VARCHAR,
    events       UBIGINT NOT NULL,
    -- the latest event that the hook itself logged
    last_hook_at TIMESTAMP,
    -- why the rest of a sealed file cannot be read
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

-- Prompts for permission: the events permission_asked, permission_granted, permission_refused,
-- permission_denied and permission_auto, a row each; and skill_command, a command that a skill's text runs.
CREATE TYPE permission_kind AS ENUM (
    'permission_asked', 'permission_granted', 'permission_refused', 'permission_denied', 'permission_auto',
    'skill_command'
);

CREATE TABLE permission_events (
    id              UUID NOT NULL,
    kind            permission_kind NOT NULL,
    ts              TIMESTAMP NOT NULL,
    day             DATE NOT NULL,
    project         VARCHAR NOT NULL,
    cwd             VARCHAR NOT NULL,
    session_id      VARCHAR NOT NULL,
    session_kind    session_kind NOT NULL,
    -- 'hook', or what it was imported from
    source          VARCHAR NOT NULL,
    entrypoint      VARCHAR,
    permission_mode VARCHAR,
    -- the sub-agent that called the tool
    agent_id        VARCHAR,
    skill           VARCHAR,
    tool_name       VARCHAR,
    -- of decisions; a prompt does not say which call it is about
    tool_use_id     VARCHAR,
    mcp_server      VARCHAR,
    -- what makes prompts the same, and how far the call reaches (reads, project, unknown, beyond)
    subject         VARCHAR,
    reach           VARCHAR,
    -- the command, path, URL or query, without secrets and at most 2 KB of it
    input           VARCHAR,
    -- hash of the whole input, which a decision shares with its prompt
    input_digest    VARCHAR,
    -- JSON array: the rules that the dialog offered
    suggestions     VARCHAR,
    -- the transcript of the session
    transcript      VARCHAR,
    -- of decisions: the prompt that they are about, where it is known
    asked_id        VARCHAR,
    -- of permission_granted: 'once', 'session' or 'always'
    "grant"         VARCHAR,
    waited_seconds  DOUBLE,
    -- true where concurrent calls cannot be distinguished
    ambiguous       BOOLEAN,
    -- why it was refused or denied, and the words that the person typed
    reason          VARCHAR,
    free_text       VARCHAR,
    -- of permission_auto: how many calls
    calls           UINTEGER,
    -- which agent it is; null for Claude Code
    agent           VARCHAR,
    -- of decisions: when the call was made that they are about, where its prompt came up; the day is that of the call
    called_at       TIMESTAMP
);

-- How far transcripts were read that say how prompts were decided. A store that is computed again has none, and
-- reads them again: what they say has the same ids.
CREATE TABLE transcripts (
    path        VARCHAR NOT NULL,
    -- of the file when it was read
    length      UBIGINT NOT NULL,
    modified_ns BIGINT NOT NULL,
    -- JSON: the offset, a hash of what stands before, and what was left to know there
    mark        VARCHAR NOT NULL
);

-- Prompts of some days, found without a look at all others: the events two weeks around them are joined, which is
-- longer than a decision takes. NULL for all days, and for all projects.
CREATE MACRO prompts_of_days(first_day, last_day, of_project) AS TABLE
WITH
events AS (
    FROM permission_events
    WHERE
        kind IN ('permission_asked', 'permission_granted', 'permission_refused')
        AND (first_day IS NULL OR day BETWEEN first_day - 14 AND last_day + 14)
        AND (of_project IS NULL OR project = of_project)
),
decided AS (FROM events WHERE kind <> 'permission_asked'),
asked AS (
    SELECT
        *,
        replace(id::VARCHAR, '-', '') AS name,
        -- A hook that is registered twice logs a prompt twice; one of them is joined to the decision.
        ts - lag(ts) OVER (
            PARTITION BY session_id, agent_id, tool_name, input_digest
            ORDER BY ts, id
        ) <= INTERVAL 2 SECONDS AS is_again
    FROM events
    WHERE kind = 'permission_asked'
)
SELECT
    coalesce(asked.id, decided.id) AS id,
    coalesce(asked.ts, decided.called_at, decided.ts) AS ts,
    coalesce(asked.day, decided.day) AS day,
    coalesce(asked.project, decided.project) AS project,
    coalesce(asked.cwd, decided.cwd) AS cwd,
    coalesce(asked.session_id, decided.session_id) AS session_id,
    coalesce(asked.session_kind, decided.session_kind) AS session_kind,
    coalesce(asked.agent, decided.agent) AS agent,
    coalesce(asked.source, decided.source) AS source,
    coalesce(asked.entrypoint, decided.entrypoint) AS entrypoint,
    coalesce(asked.permission_mode, decided.permission_mode) AS permission_mode,
    coalesce(asked.agent_id, decided.agent_id) AS agent_id,
    coalesce(decided.skill, asked.skill) AS skill,
    coalesce(asked.tool_name, decided.tool_name) AS tool_name,
    decided.tool_use_id,
    coalesce(asked.mcp_server, decided.mcp_server) AS mcp_server,
    coalesce(asked.subject, decided.subject) AS subject,
    coalesce(asked.reach, decided.reach) AS reach,
    coalesce(asked.input, decided.input) AS input,
    coalesce(asked.suggestions, decided.suggestions) AS suggestions,
    coalesce(asked.ts, decided.called_at) AS asked_at,
    decided.ts AS decided_at,
    CASE
        WHEN decided.ambiguous THEN 'ambiguous'
        WHEN decided.kind = 'permission_granted' THEN 'granted'
        WHEN decided.kind = 'permission_refused' THEN 'refused'
        ELSE 'open'
    END AS outcome,
    decided."grant" AS "grant",
    decided.waited_seconds,
    decided.reason,
    decided.free_text
FROM asked
FULL JOIN decided ON decided.asked_id = asked.name
WHERE
    (decided.id IS NOT NULL OR is_again IS NOT true)
    -- Nobody saw a prompt that waited behind the one that was refused.
    AND decided.reason IS DISTINCT FROM 'cancelled'
    AND (first_day IS NULL OR coalesce(asked.day, decided.day) BETWEEN first_day AND last_day);

-- One row a prompt for permission that a person saw: what was asked, and how it was decided as far as it is
-- known. Decisions of transcripts whose prompts no hook logged are rows, too.
CREATE VIEW permission_prompts AS FROM prompts_of_days(NULL::DATE, NULL::DATE, NULL::VARCHAR);

-- The days on which each question came up, by the first half of its id and in that order: an event's question is
-- looked for among those of a few days, and not by reading the ids of all. Only added to, so it may name days
-- too many, and never one too few.
CREATE TABLE question_days (
    id_start UINTEGER NOT NULL,
    -- UTC
    day      DATE NOT NULL
);

-- The questions that had no end when they came: whether their sessions went on is asked of these alone, and not of
-- all questions. Only added to, so it may name some that have ended since, and leaves out none that has not.
CREATE TABLE endless_questions (
    session_id VARCHAR NOT NULL,
    ts         TIMESTAMP NOT NULL
);

-- A row each time that the log was read since the store was computed: each run leaves parts of its own in the tables.
CREATE TABLE runs (
    -- UTC
    ended_at TIMESTAMP NOT NULL
);

-- Which version this is (one row).
CREATE TABLE migrations (version UINTEGER PRIMARY KEY, applied_at TIMESTAMP NOT NULL);
