-- The person's answers to the questions $1 (keys, with commas between them) in the project $2 (in every
-- project for NULL) by name, the most frequent first.
SELECT answer_name, count(*)::UBIGINT AS times
FROM questions
WHERE
    question_key IN (SELECT unnest(string_split($1, ',')))
    AND ($2::VARCHAR IS NULL OR project = $2)
    AND outcome = 'answered'
    AND answer_name IS NOT NULL
GROUP BY answer_name
ORDER BY times DESC, answer_name;
