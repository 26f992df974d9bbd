-- How many questions the person was asked in each quarter of an hour (UTC): every zone's hours are made of
-- whole quarters. $1 first day, $2 last day, $3 project or NULL.
SELECT time_bucket(INTERVAL 15 MINUTES, ts) AS quarter, count(*)::UBIGINT AS asked
FROM questions
WHERE
    outcome <> 'auto_decided'
    AND day BETWEEN $1::DATE AND $2::DATE
    AND ($3::VARCHAR IS NULL OR project = $3)
GROUP BY quarter
ORDER BY quarter;
