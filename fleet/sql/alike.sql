-- How many machines say the same to each question that is shown, where these are k. One voice a machine: the label that
-- at least three of four of its answers are; who has none agrees with nobody. Only questions that have a name of their
-- own: what is known by its words alone may be about anything. None that was one-way or took several labels on any
-- machine; no answer of a session without a person, none that was typed.
WITH spoken AS (
    SELECT
        question_key,
        machine,
        answer_hash,
        max(label) AS label,
        max(answer_name) AS answer,
        count(*) AS times,
        sum(count(*)) OVER (PARTITION BY question_key, machine) AS answers
    FROM named
    WHERE
        part = 'question' AND shown_name IS NOT NULL AND ended = 'answered' AND answer_hash IS NOT NULL
        AND session_kind = 'interactive' AND key_source IN ('marker', 'registry')
    GROUP BY question_key, machine, answer_hash
),
said AS (
    SELECT
        question_key,
        answer_hash,
        max(answer) AS answer,
        count(*) FILTER (WHERE 4 * times >= 3 * answers) AS agreeing,
        CAST(sum(times) AS BIGINT) AS times
    FROM spoken
    GROUP BY question_key, answer_hash
),
asked AS (
    SELECT
        question_key, max(label) AS label, count(DISTINCT machine) AS machines, CAST(sum(times) AS BIGINT) AS answers
    FROM spoken
    GROUP BY question_key
)
SELECT asked.question_key, label, answer_hash, answer, agreeing, times, machines, answers
FROM (
    SELECT
        said.*,
        row_number() OVER (PARTITION BY question_key ORDER BY agreeing DESC, times DESC, answer_hash) AS place
    FROM said
) AS placed
INNER JOIN asked ON asked.question_key = placed.question_key
CROSS JOIN settings
WHERE
    place = 1 AND agreeing >= k AND answer_hash NOT LIKE '(%'
    AND NOT EXISTS (SELECT 1 FROM questions WHERE barred = 1 AND questions.question_key = asked.question_key)
ORDER BY answers DESC, asked.question_key
