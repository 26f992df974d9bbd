-- A new store has no checkpoints yet.
SET VARIABLE is_new = (SELECT count(*) = 0 FROM segments);
-- The questions of this run. Into a new store they are inserted directly.
CREATE OR REPLACE TEMP TABLE new_questions AS FROM questions WITH NO DATA;
-- The sessions with something new in this run.
CREATE OR REPLACE TEMP TABLE touched (session_id VARCHAR NOT NULL);
