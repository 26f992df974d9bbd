-- Every project that had a question.
SELECT DISTINCT project FROM scopes SEMI JOIN series USING (scope) ORDER BY project;
