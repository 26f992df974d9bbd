CREATE TEMP VIEW prompts AS
SELECT
    local_time(ts) AS asked_at,
    day,
    project,
    session_id,
    session_kind::VARCHAR AS session_kind,
    nullif(skill, '') AS asker,
    tool_name AS tool,
    subject,
    reach,
    input,
    outcome,
    "grant",
    reason,
    free_text,
    waited_seconds,
    permission_mode,
    cwd AS folder,
    tool_use_id,
    replace(id::VARCHAR, '-', '') AS prompt_id
FROM plantune.main.permission_prompts;

COMMENT ON VIEW prompts IS 'one row per permission prompt that you saw';
COMMENT ON COLUMN prompts.asked_at IS 'when it came up; where no hook saw it, when the call was made';
COMMENT ON COLUMN prompts.day IS 'the day of asked_at';
COMMENT ON COLUMN prompts.project IS 'the project''s key';
COMMENT ON COLUMN prompts.session_id IS 'the session of the agent';
COMMENT ON COLUMN prompts.session_kind IS 'interactive, headless, spawned or unknown';
COMMENT ON COLUMN prompts.asker IS 'the command, skill, plugin or sub-agent at work';
COMMENT ON COLUMN prompts.tool IS 'the tool that the agent wanted to use';
COMMENT ON COLUMN prompts.subject IS 'what makes prompts the same, such as npm test';
COMMENT ON COLUMN prompts.reach IS 'how far the call reaches: reads, project, unknown or beyond';
COMMENT ON COLUMN prompts.input IS 'the command, path, URL or query';
COMMENT ON COLUMN prompts.outcome IS 'granted, refused, open, or ambiguous where calls at once look alike';
COMMENT ON COLUMN prompts."grant" IS 'of granted ones: once, session or always';
COMMENT ON COLUMN prompts.reason IS 'why it was refused';
COMMENT ON COLUMN prompts.free_text IS 'the words that you refused it with';
COMMENT ON COLUMN prompts.waited_seconds IS 'how long the agent waited, where that is known';
COMMENT ON COLUMN prompts.permission_mode IS 'the session''s permission mode';
COMMENT ON COLUMN prompts.folder IS 'the working directory';
COMMENT ON COLUMN prompts.tool_use_id IS 'the call, where it is known';
COMMENT ON COLUMN prompts.prompt_id IS 'its id, for plantune log';
