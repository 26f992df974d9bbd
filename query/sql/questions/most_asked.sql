-- The keys of the questions asked most.
SELECT question_key
FROM questions
GROUP BY question_key
ORDER BY count(*) DESC, question_key
LIMIT 1000;
