-- What the store's projections say: what each row is about, without the numbers that the order of
-- arrival gave to questions. Joins that find nothing leave a '?'; joins that find several, several rows.
CREATE OR REPLACE TEMP VIEW stored_questions AS
SELECT ids.hi, ids.lo, facts.* EXCLUDE (number)
FROM plantune.main.question_facts AS facts
FULL JOIN plantune.main.question_ids AS ids ON ids.number = facts.number;

CREATE OR REPLACE TEMP VIEW stored_sessions AS
SELECT session_id, * EXCLUDE (session_id) FROM plantune.main.session_facts;

CREATE OR REPLACE TEMP VIEW stored_daily AS
SELECT
    facts.day, coalesce(scopes.project, '?') AS project, coalesce(series.question_key, '?') AS question_key,
    coalesce(scopes.session_kind, '?') AS session_kind, facts.* EXCLUDE (day)
FROM plantune.main.daily_facts AS facts
LEFT JOIN plantune.main.series AS series ON series.series = facts.series
LEFT JOIN plantune.main.scopes AS scopes ON scopes.scope = series.scope;

CREATE OR REPLACE TEMP VIEW stored_daily_answers AS
SELECT
    facts.day, coalesce(scopes.project, '?') AS project, coalesce(series.question_key, '?') AS question_key,
    coalesce(scopes.session_kind, '?') AS session_kind, facts.answer,
    facts.* EXCLUDE (day, answer)
FROM plantune.main.daily_answer_facts AS facts
LEFT JOIN plantune.main.series AS series ON series.series = facts.series
LEFT JOIN plantune.main.scopes AS scopes ON scopes.scope = series.scope;

CREATE OR REPLACE TEMP VIEW stored_daily_sessions AS
SELECT
    facts.day, coalesce(scopes.project, '?') AS project, coalesce(sessions.session_id, '?') AS session_id,
    coalesce(scopes.session_kind, '?') AS session_kind, facts.* EXCLUDE (day)
FROM plantune.main.daily_session_facts AS facts
LEFT JOIN plantune.main.session_facts AS sessions ON sessions.session = facts.session
LEFT JOIN plantune.main.scopes AS scopes ON scopes.scope = facts.scope;

CREATE OR REPLACE TEMP VIEW stored_daily_errors AS
FROM plantune.main.daily_errors;

CREATE OR REPLACE TEMP VIEW stored_recent_answers AS
SELECT
    coalesce(scopes.project, '?') AS project, coalesce(series.question_key, '?') AS question_key,
    coalesce(scopes.session_kind, '?') AS session_kind, facts.put_at, facts.question_index, ids.hi, ids.lo,
    facts.* EXCLUDE (number, put_at, question_index)
FROM plantune.main.recent_answers AS facts
LEFT JOIN plantune.main.question_ids AS ids ON ids.number = facts.number
LEFT JOIN plantune.main.series AS series ON series.series = facts.series
LEFT JOIN plantune.main.scopes AS scopes ON scopes.scope = series.scope;
