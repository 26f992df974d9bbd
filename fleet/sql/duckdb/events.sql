-- What reports read of the lake.
CREATE TABLE events (
    id VARCHAR NOT NULL,
    ts_us BIGINT NOT NULL,
    kind VARCHAR NOT NULL,
    publisher VARCHAR NOT NULL,
    session_id VARCHAR,
    session_kind VARCHAR,
    project VARCHAR,
    project_name VARCHAR,
    agent_id VARCHAR,
    source VARCHAR,
    tool_name VARCHAR,
    tool_use_id VARCHAR,
    question_index BIGINT,
    question_count BIGINT,
    question_key VARCHAR,
    key_source VARCHAR,
    key_name VARCHAR,
    door VARCHAR,
    multi_select BOOLEAN,
    assisted BOOLEAN,
    skill VARCHAR,
    answer_hash VARCHAR,
    answer_name VARCHAR,
    was_auto_decided BOOLEAN,
    followed_recommendation BOOLEAN,
    input_digest VARCHAR,
    asked_id VARCHAR,
    waited_seconds DOUBLE,
    ambiguous BOOLEAN,
    error_kind VARCHAR,
    reason VARCHAR
);

CREATE TABLE tombstones (publisher VARCHAR NOT NULL, project VARCHAR);
CREATE TABLE settings (k BIGINT, first_us BIGINT, end_us BIGINT, open_from_us BIGINT, away_us BIGINT);
