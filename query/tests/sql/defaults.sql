-- What a question is unless a test gives something else.
CREATE SEQUENCE question_ids;
ALTER TABLE questions ALTER id SET DEFAULT nextval('question_ids');
ALTER TABLE questions ALTER session_kind SET DEFAULT 'interactive';
ALTER TABLE questions ALTER session_id SET DEFAULT 's';
ALTER TABLE questions ALTER source SET DEFAULT 'hook';
ALTER TABLE questions ALTER tool_use_id SET DEFAULT uuid()::VARCHAR;
ALTER TABLE questions ALTER question_index SET DEFAULT 0;
ALTER TABLE questions ALTER key_source SET DEFAULT 'marker';
ALTER TABLE questions ALTER question SET DEFAULT 'Which?';
ALTER TABLE questions ALTER asked_at SET DEFAULT TIMESTAMP '2026-01-01';
ALTER TABLE questions ALTER door SET DEFAULT 'two-way';
-- DuckDB cannot read such defaults back from its write-ahead log.
CHECKPOINT;
