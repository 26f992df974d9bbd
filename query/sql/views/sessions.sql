CREATE TEMP VIEW sessions AS
WITH asked AS (
    SELECT
        session_id,
        any_value(session_kind) AS session_kind,
        arg_max(project, asked_at) AS project,
        min(asked_at) AS first_at,
        max(asked_at) AS last_at,
        count(*) AS questions,
        count(*) FILTER (outcome = 'answered') AS answered,
        count(*) FILTER (outcome = 'auto_decided') AS auto_decided,
        sum(answering_seconds) AS answering_seconds,
        sum(waited_seconds) AS waited_seconds
    FROM questions
    WHERE session_id <> ''
    GROUP BY session_id
),
prompted AS (
    SELECT
        session_id,
        any_value(session_kind) AS session_kind,
        arg_max(project, asked_at) AS project,
        min(asked_at) AS first_at,
        max(asked_at) AS last_at,
        count(*) AS prompts
    FROM prompts
    GROUP BY session_id
),
known AS (
    SELECT
        session_id,
        any_value(session_kind::VARCHAR) AS session_kind,
        any_value(project) AS project,
        local_time(min(first_at)) AS first_at,
        local_time(max(last_at)) AS last_at,
        local_time(max(ended_at)) AS ended_at
    FROM plantune.main.sessions
    GROUP BY session_id
)
SELECT
    session_id,
    coalesce(known.project, asked.project, prompted.project) AS project,
    coalesce(known.session_kind, asked.session_kind, prompted.session_kind) AS session_kind,
    least(known.first_at, asked.first_at, prompted.first_at) AS first_at,
    greatest(known.last_at, asked.last_at, prompted.last_at) AS last_at,
    known.ended_at,
    coalesce(questions, 0) AS questions,
    coalesce(answered, 0) AS answered,
    coalesce(auto_decided, 0) AS auto_decided,
    coalesce(prompts, 0) AS prompts,
    coalesce(answering_seconds, 0) AS answering_seconds,
    coalesce(waited_seconds, 0) AS waited_seconds
FROM known
FULL JOIN asked USING (session_id)
FULL JOIN prompted USING (session_id);

COMMENT ON VIEW sessions IS 'one row per session of an agent';
COMMENT ON COLUMN sessions.session_id IS 'its id';
COMMENT ON COLUMN sessions.project IS 'the project''s key; of several that of the last question';
COMMENT ON COLUMN sessions.session_kind IS 'interactive, headless, spawned or unknown';
COMMENT ON COLUMN sessions.first_at IS 'the first that is known of it';
COMMENT ON COLUMN sessions.last_at IS 'the last that is known of it';
COMMENT ON COLUMN sessions.ended_at IS 'when it ended, where that was logged';
COMMENT ON COLUMN sessions.questions IS 'questions, those that were answered for you included';
COMMENT ON COLUMN sessions.answered IS 'questions that you answered';
COMMENT ON COLUMN sessions.auto_decided IS 'questions that were answered for you';
COMMENT ON COLUMN sessions.prompts IS 'prompts for permission';
COMMENT ON COLUMN sessions.answering_seconds IS 'your time for the answers';
COMMENT ON COLUMN sessions.waited_seconds IS 'how long the agent waited for answers';
