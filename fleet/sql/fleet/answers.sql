-- The most frequent answer of each group that is shown, where at least k machines gave it; of two as frequent, the
-- first by its hash. Its share is one of all answers of the group.
WITH counted AS (
    SELECT
        shown_name,
        answer_hash,
        max(answer_name) AS answer_name,
        count(*) AS times,
        count(DISTINCT publisher) AS machines
    FROM named
    WHERE ended = 'answered' AND shown_name IS NOT NULL
    GROUP BY shown_name, answer_hash
),
shared AS (
    SELECT counted.*, CAST(times AS DOUBLE) / sum(times) OVER (PARTITION BY shown_name) AS share
    FROM counted
),
placed AS (
    SELECT shared.*, row_number() OVER (PARTITION BY shown_name ORDER BY times DESC, answer_hash) AS place
    FROM shared
    WHERE answer_hash IS NOT NULL
)
SELECT shown_name, answer_hash AS hash, answer_name AS answer, times, machines, share
FROM placed
CROSS JOIN settings
WHERE place = 1 AND machines >= settings.k
ORDER BY shown_name
