-- The latest forty answers of the touched series: of those that were, without what the touched days
-- held, and what these hold now. Of several put at one moment always the same count.
CREATE OR REPLACE TEMP TABLE known_answers AS
SELECT series, number, moment, day
FROM recent_answers
SEMI JOIN cells USING (series);

CREATE OR REPLACE TEMP TABLE candidates AS
SELECT series, number, moment FROM known_answers ANTI JOIN cells USING (day, series)
UNION ALL
SELECT
    series,
    number,
    epoch_us(put_at)::HUGEINT * 18_446_744_073_709_551_616 + tie AS moment
FROM question_facts
SEMI JOIN cells USING (day, series)
WHERE outcome = 1 AND was_auto_decided IS NOT true;

CREATE OR REPLACE TEMP TABLE latest AS
SELECT series, number, moment
FROM candidates
QUALIFY row_number() OVER (PARTITION BY series ORDER BY moment DESC) <= 40;

-- Where an answer of the forty is one no more, those before them count again, and only the facts know
-- which these are.
CREATE OR REPLACE TEMP TABLE incomplete AS
SELECT series
FROM (
    SELECT series, min(moment) AS oldest FROM known_answers GROUP BY series HAVING count(*) >= 40
) AS known
LEFT JOIN (
    SELECT series, count(*) AS times, min(moment) AS oldest FROM latest GROUP BY series
) AS now USING (series)
WHERE coalesce(now.times, 0) < 40 OR now.oldest < known.oldest;

DELETE FROM latest WHERE series IN (SELECT series FROM incomplete);

INSERT INTO latest
SELECT series, unnest(arg_max(number, moment, 40)), 0
FROM (
    SELECT
        series,
        number,
        epoch_us(put_at)::HUGEINT * 18_446_744_073_709_551_616 + tie AS moment
    FROM question_facts
    SEMI JOIN incomplete USING (series)
    WHERE outcome = 1 AND was_auto_decided IS NOT true
)
GROUP BY series;

-- What stays as it is is not written again.
DELETE FROM recent_answers
WHERE series IN (SELECT series FROM cells)
  AND (
    number NOT IN (SELECT number FROM latest)
    OR (day, series) IN (SELECT (day, series) FROM cells)
  );

INSERT INTO recent_answers
SELECT
    series,
    number,
    epoch_us(put_at)::HUGEINT * 18_446_744_073_709_551_616 + tie,
    day, put_at, context, wording, answered, question_index, is_one_way, human_seconds
FROM question_facts
WHERE number IN (
    SELECT number FROM latest ANTI JOIN (SELECT number FROM recent_answers) AS kept USING (number)
);
