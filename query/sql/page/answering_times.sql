-- How many of the person's answers took how long: each row counts those from `least` seconds on that took
-- less than the next row's, those that they were away for as well, which the median and the share of nine in ten
-- leave out. Bounds about double from one to the next, at times that people say.
-- $1 first day, $2 last day, $3 project or NULL.
WITH bounds AS (
    SELECT unnest([
        0, 1, 2, 4, 8, 15, 30, 60, 120, 240, 480, 900, 1800, 3600, 7200, 14400, 28800
    ])::DOUBLE AS least
),
bins AS (SELECT least, lead(least) OVER (ORDER BY least) AS below FROM bounds),
answers AS (
    SELECT
        human_seconds,
        answering_seconds(human_seconds, question_count) AS answering,
        was_away(human_seconds, question_count) AS while_away
    FROM questions
    WHERE
        human_seconds IS NOT NULL
        AND day BETWEEN $1::DATE AND $2::DATE
        AND ($3::VARCHAR IS NULL OR project = $3)
)
SELECT
    least AS "from",
    below AS "to",
    count(human_seconds)::UBIGINT AS answers,
    count(*) FILTER (while_away)::UBIGINT AS away_answers,
    (SELECT round(median(answering), 3) FROM answers) AS median_seconds,
    (SELECT round(quantile_cont(answering, 0.9), 3) FROM answers) AS p90_seconds
FROM bins
LEFT JOIN answers
    ON (human_seconds >= least OR least = 0) AND (below IS NULL OR human_seconds < below)
GROUP BY least, below
ORDER BY least;
