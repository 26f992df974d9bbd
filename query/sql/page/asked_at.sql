-- How many questions the person was asked in each quarter of an hour (UTC): every zone's hours are made of
-- whole quarters. Reads the variable `request`.
SELECT time_bucket(INTERVAL 15 MINUTES, ts) AS quarter, count(*)::UBIGINT AS asked
FROM questions
WHERE
    outcome <> 'auto_decided'
    AND day BETWEEN getvariable('request').first_day AND getvariable('request').last_day
    AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
GROUP BY quarter
ORDER BY quarter;
