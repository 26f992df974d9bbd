-- The median of the person's seconds over all their answers, those they were away for apart; NULL without any.
SELECT median(answering_seconds(human_seconds, question_count))
FROM questions
WHERE outcome = 'answered' AND was_auto_decided IS NOT true;
