-- The events of a day come in pairs, ten pairs a session: its beginning and end; a question and what became of it;
-- a prompt for permission and its decision; and copies of a question, that another machine pushed, too.
-- Variables: `pairs` of the day, `first_pair` (those of the days before), `machines`.
CREATE TABLE pairs AS
WITH numbered AS (
    SELECT
        getvariable('first_pair') + i AS pair,
        i // 10 AS session_of_day,
        getvariable('first_pair') + i - i % 10 AS session,
        (i % 10)::INTEGER AS place
    FROM generate_series(0, getvariable('pairs') - 1) AS t(i)
),
kinds AS (
    SELECT
        *,
        CASE
            WHEN place = 0 THEN 'session'
            WHEN place = 9 AND chance(session, 'copied') < 0.3 THEN 'copy'
            WHEN place = 8 OR chance(pair, 'kind') < 0.55 THEN 'question'
            ELSE 'prompt'
        END AS what
    FROM numbered
),
-- A copy is in everything as the question before it, but for who pushed it.
originals AS (
    SELECT * REPLACE (CASE WHEN what = 'copy' THEN pair - 1 ELSE pair END AS pair), pair AS own FROM kinds
),
placed AS (
    SELECT
        *,
        -- Every machine has a session a day; some have many.
        CASE
            WHEN session_of_day < getvariable('machines') THEN session_of_day
            ELSE floor(getvariable('machines') * pow(chance(session, 'machine'), 2))::BIGINT
        END AS machine,
        -- A few questions are asked everywhere, most by few.
        floor(400 * pow(chance(pair, 'key'), 4))::BIGINT AS question
    FROM originals
)
SELECT
    * EXCLUDE (session_of_day),
    -- A team of eight machines works on six projects.
    concat(machine // 8, ' ', floor(6 * pow(chance(session, 'project'), 2))::INTEGER) AS project,
    CASE
        WHEN chance(session, 'session kind') < 0.8 THEN 'interactive'
        WHEN chance(session, 'session kind') < 0.95 THEN 'headless'
        ELSE 'spawned'
    END AS session_kind,
    CASE
        WHEN what = 'prompt' AND chance(pair, 'end') < 0.88 THEN 'permission_granted'
        WHEN what = 'prompt' THEN 'permission_refused'
        WHEN what = 'session' THEN 'session_ended'
        WHEN chance(pair, 'end') < 0.62 THEN 'answered'
        WHEN chance(pair, 'end') < 0.86 THEN 'auto_decided'
        WHEN chance(pair, 'end') < 0.95 THEN 'dismissed'
        ELSE 'failed'
    END AS ended,
    2 + question % 3 AS options,
    -- Most take what is recommended; how many, depends on the question.
    CASE
        WHEN chance(pair, 'option') < 0.5 + 0.5 * chance(question, 'agreement') THEN 0
        ELSE 1 + floor((1 + question % 3) * chance(pair, 'other option'))::INTEGER
    END AS chosen,
    -- Within the day: a session begins from 6 to 16 o'clock, and its pairs follow each other.
    getvariable('day_us')
        + 1000 * floor(1000 * (21600 + 36000 * chance(session, 'start') + 300 * (place - (what = 'copy')::INTEGER)
        + 240 * chance(pair, 'start')))::BIGINT AS start_us,
    1000 * floor(1000 * least(
        14400,
        CASE WHEN chance(pair, 'away') < 0.03 THEN 40 ELSE 1 END * (3 - 40 * ln(chance(pair, 'seconds') + 1e-9))
    ))::BIGINT AS took_us
FROM placed;
