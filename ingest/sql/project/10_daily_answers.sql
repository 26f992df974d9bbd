DELETE FROM daily_answers
USING cells
WHERE daily_answers.day = cells.day
  AND daily_answers.project = cells.project;

INSERT INTO daily_answers BY NAME
SELECT day, project, question_key, answer_name AS answer, count(*) AS times
FROM questions
SEMI JOIN cells USING (day, project)
WHERE outcome = 'answered' AND answer_name IS NOT NULL
GROUP BY day, project, question_key, answer_name;
