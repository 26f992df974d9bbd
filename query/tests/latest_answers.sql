-- All answers of two years by question: how many, the first of them, and the sum of what is known of their seconds.
SELECT project, question_key, count(*), min(ts), sum(human_seconds)
FROM (
    FROM questions
    WHERE session_kind = 'interactive' AND outcome = 'answered'
)
GROUP BY project, question_key
HAVING count(*) >= 3
ORDER BY project, question_key;
