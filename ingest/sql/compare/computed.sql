-- What the projections say that were computed beside the store, as in stored.sql.
CREATE OR REPLACE TEMP VIEW computed_questions AS
SELECT ids.hi, ids.lo, facts.* EXCLUDE (number)
FROM temp.main.question_facts AS facts
FULL JOIN temp.main.question_ids AS ids ON ids.number = facts.number;

CREATE OR REPLACE TEMP VIEW computed_sessions AS
SELECT session_id, * EXCLUDE (session_id) FROM temp.main.session_facts;

CREATE OR REPLACE TEMP VIEW computed_daily AS
SELECT
    facts.day, coalesce(scopes.project, '?') AS project, coalesce(series.question_key, '?') AS question_key,
    coalesce(scopes.session_kind, '?') AS session_kind, facts.* EXCLUDE (day)
FROM temp.main.daily_facts AS facts
LEFT JOIN temp.main.series AS series ON series.series = facts.series
LEFT JOIN temp.main.scopes AS scopes ON scopes.scope = series.scope;

CREATE OR REPLACE TEMP VIEW computed_daily_answers AS
SELECT
    facts.day, coalesce(scopes.project, '?') AS project, coalesce(series.question_key, '?') AS question_key,
    coalesce(scopes.session_kind, '?') AS session_kind, facts.answer,
    facts.* EXCLUDE (day, answer)
FROM temp.main.daily_answer_facts AS facts
LEFT JOIN temp.main.series AS series ON series.series = facts.series
LEFT JOIN temp.main.scopes AS scopes ON scopes.scope = series.scope;

CREATE OR REPLACE TEMP VIEW computed_daily_sessions AS
SELECT
    facts.day, coalesce(scopes.project, '?') AS project, coalesce(sessions.session_id, '?') AS session_id,
    coalesce(scopes.session_kind, '?') AS session_kind, facts.* EXCLUDE (day)
FROM temp.main.daily_session_facts AS facts
LEFT JOIN temp.main.session_facts AS sessions ON sessions.session = facts.session
LEFT JOIN temp.main.scopes AS scopes ON scopes.scope = facts.scope;

CREATE OR REPLACE TEMP VIEW computed_daily_errors AS
FROM temp.main.daily_errors;

CREATE OR REPLACE TEMP VIEW computed_recent_answers AS
SELECT
    coalesce(scopes.project, '?') AS project, coalesce(series.question_key, '?') AS question_key,
    coalesce(scopes.session_kind, '?') AS session_kind, facts.put_at, facts.question_index, ids.hi, ids.lo,
    facts.* EXCLUDE (number, put_at, question_index)
FROM temp.main.recent_answers AS facts
LEFT JOIN temp.main.question_ids AS ids ON ids.number = facts.number
LEFT JOIN temp.main.series AS series ON series.series = facts.series
LEFT JOIN temp.main.scopes AS scopes ON scopes.scope = series.scope;
