-- A projection's tables: docs/development/fleet-lake.md.
CREATE TABLE questions (
    put_us BIGINT NOT NULL,
    publisher VARCHAR NOT NULL,
    session_id VARCHAR,
    session_kind VARCHAR,
    project VARCHAR,
    question_index BIGINT,
    question_key VARCHAR,
    key_source VARCHAR,
    key_name VARCHAR,
    skill VARCHAR,
    outcome VARCHAR NOT NULL,
    answer_hash VARCHAR,
    answer_name VARCHAR,
    followed INTEGER,
    assisted BOOLEAN NOT NULL,
    error_kind VARCHAR,
    call_us BIGINT,
    human_us BIGINT
);

CREATE TABLE prompts (
    put_us BIGINT NOT NULL,
    publisher VARCHAR NOT NULL,
    project VARCHAR,
    tool_name VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    waited_us BIGINT
);

CREATE TABLE barred (question_key VARCHAR NOT NULL);
