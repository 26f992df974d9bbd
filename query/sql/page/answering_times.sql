-- How many of the person's answers took how long: each of `bins` counts those from so many seconds on that took
-- less than the next one's, those that they were away for as well, which the median and the share of nine in ten
-- leave out. Bounds about double from one to the next, at times that people say.
-- Reads the variable `request`.
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
        AND day BETWEEN getvariable('request').first_day AND getvariable('request').last_day
        AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
),
counted AS (
    SELECT least, below, count(human_seconds)::UBIGINT AS answers, count(*) FILTER (while_away) AS away_answers
    FROM bins
    LEFT JOIN answers
        ON (human_seconds >= least OR least = 0) AND (below IS NULL OR human_seconds < below)
    GROUP BY least, below
)
SELECT
    sum(answers)::UBIGINT AS answers,
    sum(away_answers)::UBIGINT AS away_answers,
    (SELECT round(median(answering), 3) FROM answers) AS median_seconds,
    (SELECT round(quantile_cont(answering, 0.9), 3) FROM answers) AS p90_seconds,
    list({"from": least, "to": below, answers: answers} ORDER BY least) AS bins
FROM counted;
