-- The views lie beside the store's tables, whose names some of them have: tables are named with their database.
-- What each question waited is computed only for a statement that reads it (waits.sql): over a long history it takes
-- most of the time. The rows that are there from the start belong to no question: with them no condition can be seen to
-- fail for every row, so a plan has the table if the statement reads it.
CREATE TEMP TABLE known_waits (number BIGINT, waited_seconds DOUBLE);
INSERT INTO known_waits VALUES (-1, '-infinity'), (-2, NULL), (9223372036854775807, 'infinity');

CREATE TEMP VIEW questions AS
SELECT
    local_time(ts) AS asked_at,
    day,
    project,
    session_id,
    session_kind::VARCHAR AS session_kind,
    nullif(skill, '') AS asker,
    coalesce(name, question_key) AS question_key,
    question,
    header,
    from_json(options, '["VARCHAR"]') AS options,
    recommended,
    door::VARCHAR AS door,
    CASE WHEN outcome = 'open' AND day < getvariable('request').open_from THEN 'dismissed' ELSE outcome::VARCHAR END
        AS outcome,
    CASE
        WHEN outcome = 'answered' THEN answer_name
        WHEN outcome = 'auto_decided' THEN array_to_string(from_json(auto_answer, '["VARCHAR"]'), ', ')
    END AS answer,
    free_text,
    notes,
    followed_recommendation,
    CASE
        WHEN outcome = 'answered' THEN 'you'
        WHEN dismissed_reason = 'afk_timeout' AND outcome = 'dismissed' THEN 'nobody'
        WHEN outcome <> 'auto_decided' THEN NULL
        WHEN preference = 'reask' THEN 'session'
        WHEN preference IN ('reviewer', 'away') THEN preference
        ELSE 'preference'
    END AS answered_by,
    level,
    ask_reason::VARCHAR AS ask_reason,
    ask_detail,
    coalesce(dismissed_reason, error_kind) AS reason,
    answering_seconds(human_seconds, question_count) AS answering_seconds,
    away_seconds(human_seconds, question_count) AS away_seconds,
    waited_seconds,
    undone_answers.tool_use_id IS NOT NULL AS undone,
    questions.tool_use_id,
    questions.question_index
FROM plantune.main.questions
LEFT JOIN (
    SELECT split_part(pair, ' ', 1)::UBIGINT AS logged, split_part(pair, ' ', 2) AS name
    FROM (SELECT unnest(string_split(nullif(getvariable('renamed'), ''), ',')) AS pair)
) AS renamed ON logged = hash(project, question_key, question, header)
LEFT JOIN known_waits ON known_waits.number = questions.rowid
LEFT JOIN plantune.main.undone_answers
    ON undone_answers.tool_use_id = questions.tool_use_id
    AND undone_answers.question_index = coalesce(questions.question_index, 0);

COMMENT ON VIEW questions IS 'one row per question that an agent asked you, or that was answered for you';
COMMENT ON COLUMN questions.asked_at IS 'when it came up';
COMMENT ON COLUMN questions.day IS 'the day of asked_at';
COMMENT ON COLUMN questions.project IS 'the project''s key: host/owner/repo, or a folder';
COMMENT ON COLUMN questions.session_id IS 'the session of the agent';
COMMENT ON COLUMN questions.session_kind IS 'interactive, headless, spawned or unknown';
COMMENT ON COLUMN questions.asker IS 'the command, skill, plugin or sub-agent that asked';
COMMENT ON COLUMN questions.question_key IS 'what makes it the same question over time';
COMMENT ON COLUMN questions.question IS 'the text';
COMMENT ON COLUMN questions.header IS 'the header';
COMMENT ON COLUMN questions.options IS 'the labels';
COMMENT ON COLUMN questions.recommended IS 'the label that was recommended';
COMMENT ON COLUMN questions.door IS 'one-way where an answer could not be taken back, else two-way';
COMMENT ON COLUMN questions.outcome IS 'answered (by you), auto_decided, dismissed, failed or open';
COMMENT ON COLUMN questions.answer IS 'the label that was chosen; (typed) for words of your own';
COMMENT ON COLUMN questions.free_text IS 'the words that you typed';
COMMENT ON COLUMN questions.notes IS 'your notes beside the answer';
COMMENT ON COLUMN questions.followed_recommendation IS 'whether you took what was recommended';
COMMENT ON COLUMN questions.answered_by IS 'you, preference, session (as earlier in it), reviewer, away, or nobody where the agent went on without an answer';
COMMENT ON COLUMN questions.level IS 'of an answer for you: standing, trial or away';
COMMENT ON COLUMN questions.ask_reason IS 'why it was asked and not answered for you';
COMMENT ON COLUMN questions.ask_detail IS 'what in particular, such as the word that was new';
COMMENT ON COLUMN questions.reason IS 'why it was dismissed, or what failed';
COMMENT ON COLUMN questions.answering_seconds IS 'your time for the answer; empty where you were away';
COMMENT ON COLUMN questions.away_seconds IS 'the time until the answer where you were away';
COMMENT ON COLUMN questions.waited_seconds IS 'how long the agent waited: the question''s share of its call';
COMMENT ON COLUMN questions.undone IS 'true where you took an answer for you back';
COMMENT ON COLUMN questions.tool_use_id IS 'the call that asked';
COMMENT ON COLUMN questions.question_index IS 'which question of the call, from 0';
