-- Empty tables beside the store that are found in place of its projections from now on, by this
-- connection alone: what computes the projections computes these.
CREATE TEMP TABLE scopes AS FROM plantune.main.scopes LIMIT 0;
CREATE TEMP TABLE series AS FROM plantune.main.series LIMIT 0;
CREATE TEMP TABLE session_facts AS FROM plantune.main.session_facts LIMIT 0;
CREATE TEMP TABLE question_ids AS FROM plantune.main.question_ids LIMIT 0;
CREATE TEMP TABLE question_facts AS FROM plantune.main.question_facts LIMIT 0;
CREATE TEMP TABLE daily_facts AS FROM plantune.main.daily_facts LIMIT 0;
CREATE TEMP TABLE daily_answer_facts AS FROM plantune.main.daily_answer_facts LIMIT 0;
CREATE TEMP TABLE daily_session_facts AS FROM plantune.main.daily_session_facts LIMIT 0;
CREATE TEMP TABLE daily_errors AS FROM plantune.main.daily_errors LIMIT 0;
CREATE TEMP TABLE recent_answers AS FROM plantune.main.recent_answers LIMIT 0;
