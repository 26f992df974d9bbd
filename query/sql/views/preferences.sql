-- What the preference files hold (add_preferences.sql).
CREATE TEMP TABLE preferences (
    scope VARCHAR,
    project VARCHAR,
    question_key VARCHAR,
    preference VARCHAR,
    level VARCHAR,
    answer VARCHAR,
    question VARCHAR,
    set_at TIMESTAMP,
    set_by VARCHAR
);

COMMENT ON TABLE preferences IS 'one row per preference of yours';
COMMENT ON COLUMN preferences.scope IS 'project or global';
COMMENT ON COLUMN preferences.project IS 'the project''s key; empty for a global one';
COMMENT ON COLUMN preferences.question_key IS 'the question''s key, or who asks';
COMMENT ON COLUMN preferences.preference IS 'never-ask, always-ask, …';
COMMENT ON COLUMN preferences.level IS 'trial or standing';
COMMENT ON COLUMN preferences.answer IS 'the label to answer with; the recommended one where there is none';
COMMENT ON COLUMN preferences.question IS 'the question as it was when it was set';
COMMENT ON COLUMN preferences.set_at IS 'when it was set';
COMMENT ON COLUMN preferences.set_by IS 'what set it';
