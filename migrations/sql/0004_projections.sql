-- Projections of facts: computed from the log alone, kept up in the transaction that appends to it,
-- and rebuilt by `plantune ingest --rebuild`.
--
-- A series is a question key in one project and one session kind; a scope is such a project and
-- session kind. They and sessions are referred to by 64 bits of the hash of what they are, so that
-- no run has to look up what another one called them. (Of a million, two would be mixed up with a
-- probability of 3 in 100 million.)
CREATE TABLE scopes (
    scope        UBIGINT NOT NULL,
    project      VARCHAR NOT NULL,
    session_kind VARCHAR NOT NULL
);

CREATE TABLE series (
    series       UBIGINT NOT NULL,
    scope        UBIGINT NOT NULL,
    question_key VARCHAR NOT NULL
);

-- One row a session of the agent, for what was still open when it went on or ended.
CREATE TABLE session_facts (
    session      UBIGINT NOT NULL,
    session_id   VARCHAR NOT NULL,
    session_kind VARCHAR NOT NULL,
    first_at     TIMESTAMP NOT NULL,
    last_at      TIMESTAMP NOT NULL,
    ended_at     TIMESTAMP
);

-- Which number a question has: the two halves of the hash of its call and index, each
-- transaction's in their order, as in `event_ids`.
CREATE TABLE question_ids (
    hi     UBIGINT NOT NULL,
    lo     UBIGINT NOT NULL,
    number UINTEGER NOT NULL
);

-- One row a question: when what happened to it, and how it ended. `day` is the day of `put_at` in the
-- person's time zone. `described_by` ranks the event that `context` and `wording` are of (asked
-- before auto-decided before any outcome: 0 to 4), so that the order of arrival does not matter.
CREATE TABLE question_facts (
    number          UINTEGER NOT NULL,
    day             DATE NOT NULL,
    put_at          TIMESTAMP NOT NULL,
    series          UBIGINT NOT NULL,
    scope           UBIGINT NOT NULL,
    session         UBIGINT NOT NULL,
    context         UINTEGER NOT NULL,
    wording         UINTEGER NOT NULL,
    described_by    UTINYINT NOT NULL,
    question_index  UINTEGER NOT NULL,
    question_count  UINTEGER,
    is_one_way      BOOLEAN NOT NULL,
    -- 0 open, 1 answered, 2 auto-decided, 3 failed, 4 dismissed
    outcome         UTINYINT NOT NULL,
    asked_at        TIMESTAMP,
    auto_decided_at TIMESTAMP,
    answered_at     TIMESTAMP,
    dismissed_at    TIMESTAMP,
    failed_at       TIMESTAMP,
    -- the details of those events
    asked           UINTEGER,
    auto_decided    UINTEGER,
    answered        UINTEGER,
    dismissed       UINTEGER,
    failed          UINTEGER,
    -- of the answer
    was_auto_decided        BOOLEAN,
    followed_recommendation BOOLEAN,
    -- from asked to answered, shared among the questions of the call; null for what no person answered
    human_seconds   DOUBLE,
    -- of questions put at one moment, which was put last: half of the question's id, so that it is the
    -- same whatever the order of arrival
    tie             UBIGINT NOT NULL
);

-- Rollup: one row a day and series. Reports read nothing else but the rollups.
CREATE TABLE daily_facts (
    day            DATE NOT NULL,
    series         UBIGINT NOT NULL,
    -- as last put that day
    wording        UINTEGER NOT NULL,
    -- one asking that cannot be taken back makes the question one-way
    is_one_way     BOOLEAN NOT NULL,
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
CREATE TABLE daily_answer_facts (
    day    DATE NOT NULL,
    series UBIGINT NOT NULL,
    answer VARCHAR NOT NULL,
    times  UINTEGER NOT NULL
);

-- Rollup: the person's latest forty answers of each series, which is what habits are judged by.
-- `moment` orders them: by when the question was put, and what was put at once always the same way.
CREATE TABLE recent_answers (
    series         UBIGINT NOT NULL,
    number         UINTEGER NOT NULL,
    moment         HUGEINT NOT NULL,
    day            DATE NOT NULL,
    put_at         TIMESTAMP NOT NULL,
    context        UINTEGER NOT NULL,
    wording        UINTEGER NOT NULL,
    answered       UINTEGER,
    question_index UINTEGER NOT NULL,
    is_one_way     BOOLEAN NOT NULL,
    human_seconds  DOUBLE
);

-- Rollup: which sessions had questions on which day.
CREATE TABLE daily_session_facts (
    day     DATE NOT NULL,
    scope   UBIGINT NOT NULL,
    session UBIGINT NOT NULL
);

-- Rollup: failures by kind; 'hook' for the hook's own.
CREATE TABLE daily_errors (
    day        DATE NOT NULL,
    project    VARCHAR NOT NULL,
    error_kind VARCHAR NOT NULL,
    times      UINTEGER NOT NULL
);

CREATE VIEW sessions AS
SELECT session_id, session_kind, first_at, last_at, ended_at FROM session_facts;

CREATE VIEW questions AS
SELECT
    facts.day, facts.put_at, wordings.tool_use_id, facts.question_index, facts.question_count,
    facts.described_by, contexts.session_id, contexts.session_kind, contexts.project,
    forms.tool_name, forms.question_key, coalesce(forms.key_source, 'fingerprint') AS key_source,
    coalesce(wordings.question, '') AS question, forms.header, forms.options, forms.recommended,
    forms.multi_select, coalesce(forms.door, 'two-way') AS door, forms.door_reason, forms.skill,
    CASE facts.outcome
        WHEN 1 THEN 'answered' WHEN 2 THEN 'auto_decided' WHEN 3 THEN 'failed' WHEN 4 THEN 'dismissed'
        ELSE 'open'
    END AS outcome,
    facts.asked_at, facts.auto_decided_at, facts.answered_at, facts.dismissed_at, facts.failed_at,
    asked.ask_reason, answered.answer, answered.free_text, answered.notes, answered.answer_name,
    facts.was_auto_decided, facts.followed_recommendation,
    decided.answer AS auto_answer, decided.answer_name AS auto_answer_name,
    decided.preference, decided.preference_scope, decided.mechanism,
    dismissed.reason, failed.error_kind, failed.error, facts.human_seconds
FROM question_facts AS facts
JOIN contexts ON contexts.number = facts.context
JOIN wordings ON wordings.number = facts.wording
JOIN forms ON forms.number = wordings.form
LEFT JOIN details AS asked ON asked.number = facts.asked
LEFT JOIN details AS answered ON answered.number = facts.answered
LEFT JOIN details AS decided ON decided.number = facts.auto_decided
LEFT JOIN details AS dismissed ON dismissed.number = facts.dismissed
LEFT JOIN details AS failed ON failed.number = facts.failed;

CREATE VIEW daily AS
SELECT
    daily.day, scopes.project, series.question_key, scopes.session_kind,
    coalesce(forms.key_source, 'fingerprint') AS key_source,
    coalesce(wordings.question, '') AS question, forms.header, forms.options,
    if(daily.is_one_way, 'one-way', 'two-way') AS door,
    daily.last_at, daily.calls, daily.asked, daily.answered, daily.auto_decided, daily.failed,
    daily.dismissed, daily.open, daily.followed, daily.overrode, daily.unrecommended,
    daily.human_seconds
FROM daily_facts AS daily
JOIN series USING (series)
JOIN scopes USING (scope)
JOIN wordings ON wordings.number = daily.wording
JOIN forms ON forms.number = wordings.form;

CREATE VIEW daily_answers AS
SELECT daily.day, scopes.project, series.question_key, daily.answer, sum(daily.times)::UINTEGER AS times
FROM daily_answer_facts AS daily
JOIN series USING (series)
JOIN scopes USING (scope)
GROUP BY ALL;

CREATE VIEW daily_sessions AS
SELECT daily.day, scopes.project, session_facts.session_id, scopes.session_kind
FROM daily_session_facts AS daily
JOIN scopes USING (scope)
JOIN session_facts USING (session);
