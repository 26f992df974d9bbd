-- Who a question is put to (hooks/domain/src/host.rs): the tool that asked, or the program that answers it in the
-- person's place. Answers count for their host alone, so that the tool's own name is of no use.
DROP VIEW own_answers;
ALTER TABLE questions RENAME COLUMN tool_name TO host;

-- Whose answers count, as before (0006): a view does not take part in renaming.
CREATE VIEW own_answers AS
SELECT
    rowid AS number,
    -- A program's answers neither count with a person's nor push them out.
    coalesce(starts_with(host, 'sdk-'), false) AS of_program,
    *
FROM questions
WHERE
    session_kind = 'interactive'
    AND outcome = 'answered'
    AND was_auto_decided IS NOT true
    AND agent_id IS NULL
    AND coalesce(asked_at, auto_decided_at) IS NOT NULL
    AND ask_detail IS DISTINCT FROM 'answers_in_input';

-- What was answered for the person and they took back: the questions.
CREATE VIEW undone_answers AS
SELECT DISTINCT tool_use_id, coalesce(question_index, 0) AS question_index
FROM preference_changes
WHERE reason IN ('undo', 'undo away') AND tool_use_id IS NOT NULL;
