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
