-- The person's answers to the questions $1 (keys, with commas between them) in the project $2 (in every
-- project for NULL) by name, the most frequent first.
SELECT answer, sum(times)::UBIGINT AS times
FROM daily_answers
WHERE
    question_key IN (SELECT unnest(string_split($1, ',')))
    AND ($2::VARCHAR IS NULL OR project = $2)
GROUP BY answer
ORDER BY times DESC, answer;
