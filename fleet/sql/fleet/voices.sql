-- How many machines say the same to each question of each group that is shown, where these are k. One voice a
-- machine: the label that at least three of four of its answers are; who has none agrees with nobody.
-- Only questions that have a name of their own: what is known by its words alone may be about anything. None that
-- was ever one-way or took several labels, on any machine; no answer that was pointed out to the person, and none
-- of a session without one.
WITH given AS (
    SELECT
        named.shown_name,
        named.question_key,
        named.publisher,
        named.answer_hash,
        max(named.key_name) AS key_name,
        max(named.answer_name) AS answer_name,
        count(*) AS times,
        CAST(coalesce(sum(named.answering_us), 0) AS BIGINT) AS human_us
    FROM named
    LEFT JOIN barred ON barred.question_key = named.question_key
    WHERE
        named.shown_name IS NOT NULL
        AND named.ended = 'answered'
        AND named.answer_hash IS NOT NULL
        AND named.session_kind = 'interactive'
        AND named.key_source IN ('marker', 'registry')
        AND barred.question_key IS NULL
        AND NOT named.assisted
    GROUP BY named.shown_name, named.question_key, named.publisher, named.answer_hash
),
spoken AS (
    SELECT given.*, sum(times) OVER (PARTITION BY shown_name, question_key, publisher) AS answers
    FROM given
),
asked AS (
    SELECT
        shown_name,
        question_key,
        max(key_name) AS key_name,
        count(DISTINCT publisher) AS machines,
        CAST(sum(times) AS BIGINT) AS answers,
        CAST(sum(human_us) AS BIGINT) AS human_us
    FROM spoken
    GROUP BY shown_name, question_key
),
said AS (
    SELECT
        shown_name,
        question_key,
        answer_hash,
        max(answer_name) AS answer_name,
        count(*) FILTER (WHERE 4 * times >= 3 * answers) AS agreeing,
        CAST(sum(times) AS BIGINT) AS times
    FROM spoken
    GROUP BY shown_name, question_key, answer_hash
),
placed AS (
    SELECT
        said.*,
        row_number() OVER (
            PARTITION BY shown_name, question_key ORDER BY agreeing DESC, times DESC, answer_hash
        ) AS place
    FROM said
)
SELECT
    asked.shown_name,
    asked.question_key,
    asked.key_name AS label,
    placed.answer_hash,
    placed.answer_name AS answer,
    placed.agreeing,
    placed.times,
    asked.machines,
    asked.answers,
    round(asked.human_us / 1000) / 1000 AS human_seconds
FROM placed
INNER JOIN asked ON asked.shown_name = placed.shown_name AND asked.question_key = placed.question_key
CROSS JOIN settings
WHERE place = 1 AND agreeing >= settings.k AND placed.answer_hash NOT LIKE '(%'
ORDER BY asked.answers DESC, asked.shown_name, asked.question_key
