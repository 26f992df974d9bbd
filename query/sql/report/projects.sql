-- Every project that had a question.
SELECT DISTINCT project FROM daily ORDER BY project;
