-- How often preferences answered, by project, key and day, since the day $1 (ever for NULL). What was
-- answered or turned down by something else is left out.
SELECT project, question_key, day, count(*)::UBIGINT AS times
FROM questions
WHERE
    outcome = 'auto_decided'
    AND coalesce(preference NOT IN ('reask', 'reviewer', 'away'), true)
    AND ($1::DATE IS NULL OR day >= $1)
GROUP BY project, question_key, day;
