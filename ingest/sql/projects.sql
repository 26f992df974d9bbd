-- The projects with questions.
SELECT DISTINCT project FROM questions WHERE project IS NOT NULL;
