-- Every project that had a question.
SELECT DISTINCT project FROM questions ORDER BY project;
