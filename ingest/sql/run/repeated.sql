-- Ids that several rows have, all of them: of a question whose events stand in several chunks of the log, or came
-- in several runs.
SELECT id FROM {questions} GROUP BY id HAVING count(*) > 1 ORDER BY id;
