-- A store's tables, made of what a test gave in the words of the views: a form, a wording and a
-- detail for every row.
CREATE TEMP TABLE given_scopes AS
SELECT DISTINCT project, session_kind FROM given_daily
UNION
SELECT DISTINCT project, session_kind FROM given_daily_sessions
UNION
SELECT DISTINCT project, session_kind FROM given_questions
UNION
SELECT DISTINCT project, 'interactive' FROM given_daily_answers;

INSERT INTO scopes SELECT hash(project, session_kind), project, session_kind FROM given_scopes;

INSERT INTO series
SELECT hash(project, session_kind, question_key), hash(project, session_kind), question_key
FROM (
    SELECT DISTINCT project, session_kind, question_key FROM given_daily
    UNION
    SELECT DISTINCT project, session_kind, question_key FROM given_questions
    UNION
    SELECT DISTINCT project, 'interactive', question_key FROM given_daily_answers
);

CREATE TEMP TABLE daily_numbered AS SELECT row_number() OVER () AS number, * FROM given_daily;
CREATE TEMP TABLE questions_numbered AS
SELECT 1_000_000 + row_number() OVER () AS number, * FROM given_questions;

INSERT INTO forms BY NAME
SELECT number, question_key, key_source, header, options, door FROM daily_numbered
UNION ALL BY NAME
SELECT
    number, question_key, key_source, header, options, door, door_reason, recommended, multi_select
FROM questions_numbered;

INSERT INTO wordings BY NAME
SELECT number, number AS form, question FROM daily_numbered
UNION ALL BY NAME
SELECT number, number AS form, question, tool_use_id, question_index FROM questions_numbered;

INSERT INTO contexts BY NAME
SELECT number, session_id, session_kind, project, '/p' AS cwd, 'hook' AS source
FROM questions_numbered;

INSERT INTO details BY NAME
SELECT
    number, 'answered' AS kind, answer, answer_name, free_text, notes, was_auto_decided,
    followed_recommendation, false AS truncated
FROM questions_numbered
WHERE answer IS NOT NULL;

INSERT INTO daily_facts BY NAME
SELECT
    day, hash(project, session_kind, question_key) AS series, number AS wording,
    door = 'one-way' AS is_one_way, last_at, calls, asked, answered, auto_decided, failed, dismissed,
    open, followed, overrode, unrecommended, human_seconds
FROM daily_numbered;

INSERT INTO daily_answer_facts
SELECT day, hash(project, 'interactive', question_key), answer, times FROM given_daily_answers;

INSERT INTO daily_session_facts
SELECT day, hash(project, session_kind), hash(session_id) FROM given_daily_sessions;

INSERT INTO question_facts BY NAME
SELECT
    number, day, put_at, hash(project, session_kind, question_key) AS series,
    hash(project, session_kind) AS scope, hash(session_id) AS session, number AS context,
    number AS wording, described_by, question_index, question_count, door = 'one-way' AS is_one_way,
    list_position(['open', 'answered', 'auto_decided', 'failed', 'dismissed'], outcome) - 1 AS outcome,
    if(answer IS NULL, NULL, number) AS answered,
    was_auto_decided, followed_recommendation, human_seconds, number AS tie
FROM questions_numbered;

INSERT INTO recent_answers BY NAME
SELECT
    hash(project, session_kind, question_key) AS series, number, epoch_us(put_at)::HUGEINT AS moment,
    day, put_at, number AS context, number AS wording, number AS answered, question_index,
    door = 'one-way' AS is_one_way, human_seconds
FROM questions_numbered
WHERE outcome = 'answered' AND was_auto_decided IS NOT true
QUALIFY row_number() OVER (PARTITION BY project, session_kind, question_key ORDER BY put_at DESC) <= 40;

-- Of days without questions of their own, the seconds alone.
INSERT INTO recent_answers BY NAME
SELECT
    hash(project, session_kind, question_key) AS series, number, epoch_us(last_at)::HUGEINT AS moment,
    day, last_at AS put_at, 0 AS context, number AS wording, 0 AS question_index, false AS is_one_way,
    unnest(human_seconds) AS human_seconds
FROM daily_numbered;

-- Events are told apart by what they are of.
INSERT INTO contexts BY NAME
SELECT
    2_000_000 + row_number() OVER () AS number, session_id, session_kind, project, cwd, source
FROM (SELECT DISTINCT session_id, session_kind, project, cwd, source FROM given_events);

INSERT INTO details BY NAME
SELECT 2_000_000 + row_number() OVER () AS number, kind, false AS truncated
FROM (SELECT DISTINCT kind FROM given_events);

INSERT INTO forms BY NAME SELECT 2_000_000 AS number;
INSERT INTO wordings BY NAME SELECT 2_000_000 AS number, 2_000_000 AS form;

INSERT INTO log
SELECT batch, id, ts, contexts.number, 2_000_000, details.number
FROM given_events
JOIN contexts ON contexts.source = given_events.source AND contexts.number > 2_000_000
JOIN details ON details.kind = given_events.kind AND details.number > 2_000_000;
