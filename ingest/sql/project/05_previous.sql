-- The questions as they were, that the batches say something about, or that were open in a session
-- that went on.
CREATE OR REPLACE TEMP TABLE previous AS
SELECT questions.*
FROM questions
SEMI JOIN delta
    ON questions.tool_use_id = delta.tool_use_id
    AND questions.question_index = delta.question_index
UNION ALL
SELECT questions.*
FROM questions
SEMI JOIN session_delta ON questions.session_id = session_delta.session_id
ANTI JOIN delta
    ON questions.tool_use_id = delta.tool_use_id
    AND questions.question_index = delta.question_index
WHERE questions.outcome = 'open';
