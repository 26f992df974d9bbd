-- A new store has no checkpoints yet.
SET VARIABLE is_new = (SELECT count(*) = 0 FROM segments);
-- The questions that come in this run; into a new store they go at once.
CREATE OR REPLACE TEMP TABLE new_questions AS FROM questions WITH NO DATA;
-- The sessions of which something comes.
CREATE OR REPLACE TEMP TABLE touched (session_id VARCHAR NOT NULL);
