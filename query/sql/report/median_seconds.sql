-- The median of the person's seconds over all their answers; NULL without any.
SELECT median(human_seconds)
FROM questions
WHERE outcome = 'answered' AND was_auto_decided IS NOT true;
