-- The latest forty answers of the touched series: of those that were and are unchanged, and of what
-- changed. Of several put at one moment always the same count.
CREATE OR REPLACE TEMP TABLE changes AS
SELECT series, number, epoch_us(put_at)::HUGEINT * 18_446_744_073_709_551_616 + tie AS moment
FROM incoming_changes();

CREATE OR REPLACE TEMP TABLE touched AS SELECT DISTINCT series FROM cells;

CREATE OR REPLACE TEMP TABLE known_answers AS
SELECT series, number, moment
FROM recent_answers
SEMI JOIN touched USING (series);

CREATE OR REPLACE TEMP TABLE latest AS
SELECT series, number, moment
FROM (
    SELECT series, number, moment
    FROM known_answers
    ANTI JOIN (SELECT number FROM changes WHERE moment IS NULL) AS gone USING (number)
    UNION ALL
    SELECT series, number, moment FROM changes WHERE moment IS NOT NULL
)
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
WHERE series IN (SELECT series FROM touched)
  AND (
    number NOT IN (SELECT number FROM latest)
    OR number IN (SELECT number FROM changes WHERE moment IS NULL)
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
