-- How often preferences answered, by project, key and day, since the day $1 (ever for NULL).
SELECT project, question_key, day, sum(auto_decided)::UBIGINT AS times
FROM daily_facts
JOIN series USING (series)
JOIN scopes USING (scope)
WHERE auto_decided > 0 AND ($1::DATE IS NULL OR day >= $1)
GROUP BY project, question_key, day;
