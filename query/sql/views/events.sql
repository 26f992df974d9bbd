CREATE TEMP VIEW events AS
SELECT
    local_time(ts) AS happened_at,
    kind,
    project,
    cwd AS folder,
    session_id,
    session_kind,
    source,
    nullif(skill, '') AS asker,
    tool_name AS tool,
    tool_use_id,
    question_index,
    question_key,
    question,
    header,
    options,
    recommended,
    answer,
    free_text,
    notes,
    preference,
    preference_scope,
    level,
    ask_reason,
    reason,
    subject,
    input,
    "grant",
    waited_seconds,
    error_kind,
    error,
    id AS event_id
FROM whole_log;

COMMENT ON VIEW events IS 'one row per event of the log; everything else is computed from it';
COMMENT ON COLUMN events.happened_at IS 'when it happened';
COMMENT ON COLUMN events.kind IS 'asked, answered, auto_decided, dismissed, failed, permission_asked, …';
COMMENT ON COLUMN events.project IS 'the project''s key';
COMMENT ON COLUMN events.folder IS 'the working directory';
COMMENT ON COLUMN events.session_id IS 'the session of the agent';
COMMENT ON COLUMN events.session_kind IS 'interactive, headless, spawned or unknown';
COMMENT ON COLUMN events.source IS 'what logged it: hook, cli, dialog or an import';
COMMENT ON COLUMN events.asker IS 'the command, skill, plugin or sub-agent at work';
COMMENT ON COLUMN events.tool IS 'the tool';
COMMENT ON COLUMN events.tool_use_id IS 'the call';
COMMENT ON COLUMN events.question_index IS 'which question of the call, from 0';
COMMENT ON COLUMN events.question_key IS 'the question''s key as it was logged';
COMMENT ON COLUMN events.question IS 'the text';
COMMENT ON COLUMN events.header IS 'the header';
COMMENT ON COLUMN events.options IS 'the labels';
COMMENT ON COLUMN events.recommended IS 'the label that was recommended';
COMMENT ON COLUMN events.answer IS 'the labels that were chosen';
COMMENT ON COLUMN events.free_text IS 'the words that you typed';
COMMENT ON COLUMN events.notes IS 'your notes beside the answer';
COMMENT ON COLUMN events.preference IS 'the preference that answered, or was changed';
COMMENT ON COLUMN events.preference_scope IS 'where that preference holds';
COMMENT ON COLUMN events.level IS 'of an answer for you: standing, trial or away';
COMMENT ON COLUMN events.ask_reason IS 'why it was asked and not answered for you';
COMMENT ON COLUMN events.reason IS 'why, for what the other columns do not say';
COMMENT ON COLUMN events.subject IS 'of a prompt for permission: what makes prompts the same';
COMMENT ON COLUMN events.input IS 'of a prompt: the command, path, URL or query';
COMMENT ON COLUMN events."grant" IS 'of a prompt that was granted: once, session or always';
COMMENT ON COLUMN events.waited_seconds IS 'of a prompt: how long the agent waited';
COMMENT ON COLUMN events.error_kind IS 'what kind of failure';
COMMENT ON COLUMN events.error IS 'the failure';
COMMENT ON COLUMN events.event_id IS 'its id';
