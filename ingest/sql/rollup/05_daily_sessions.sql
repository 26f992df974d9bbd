DELETE FROM daily_session_facts
USING scope_cells
WHERE daily_session_facts.day = scope_cells.day AND daily_session_facts.scope = scope_cells.scope;

INSERT INTO daily_session_facts
SELECT DISTINCT day, scope, session
FROM question_facts
SEMI JOIN scope_cells USING (day, scope)
WHERE session <> 0;
