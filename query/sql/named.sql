-- The questions of some days by the names that they have today; `row` finds one in the table. One project or, for NULL,
-- all. Reads the variable `renamed`: the questions that are called otherwise than they were logged, the hash of project,
-- key, text and header, a space and the name, with commas between them.
CREATE OR REPLACE TEMP MACRO named_questions(first_day, last_day, of_project) AS TABLE
WITH renamed AS MATERIALIZED (
    SELECT split_part(pair, ' ', 1)::UBIGINT AS logged, split_part(pair, ' ', 2) AS name
    FROM (SELECT unnest(string_split(nullif(getvariable('renamed'), ''), ',')) AS pair)
)
SELECT
    coalesce(name, question_key) AS name,
    question_key AS logged_as,
    questions.* EXCLUDE (question_key),
    questions.rowid AS row
FROM questions
LEFT JOIN renamed ON logged = hash(project, question_key, question, header)
WHERE day BETWEEN first_day AND last_day AND (of_project IS NULL OR project = of_project);
