-- Which agent it is; null for Claude Code.
DROP VIEW own_answers;
ALTER TABLE questions ADD COLUMN agent VARCHAR;
ALTER TABLE permission_events ADD COLUMN agent VARCHAR;

-- As before (0015): a view does not take part in changes of its table.
CREATE VIEW own_answers AS
SELECT
    rowid AS number,
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
