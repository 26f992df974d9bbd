-- Every project that had a question or a prompt for permission.
SELECT project FROM questions
UNION
SELECT project FROM permission_events
ORDER BY project;
