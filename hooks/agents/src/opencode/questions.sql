-- The calls of the tool for questions, and what else has its name in it, in the order in which they were made.
SELECT
    part.session_id,
    session.directory,
    part.message_id,
    part.data
FROM part
JOIN session ON session.id = part.session_id
WHERE instr(part.data, '"question"') > 0
ORDER BY part.time_created, part.id
