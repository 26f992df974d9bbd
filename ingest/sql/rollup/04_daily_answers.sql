DELETE FROM daily_answer_facts
USING cells
WHERE daily_answer_facts.day = cells.day AND daily_answer_facts.series = cells.series;

INSERT INTO daily_answer_facts
SELECT day, series, details.answer_name, sum(times)
FROM (
    SELECT day, series, answered, count(*) AS times
    FROM question_facts
    SEMI JOIN cells USING (day, series)
    WHERE outcome = 1 AND answered IS NOT NULL
    GROUP BY day, series, answered
) AS counted
JOIN details ON details.number = counted.answered
WHERE details.answer_name IS NOT NULL
GROUP BY day, series, details.answer_name;
