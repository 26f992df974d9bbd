-- The most frequent answer of each group that is shown, where at least k machines gave it; of two as frequent, the
-- first by its hash.
WITH counted AS (
    SELECT
        shown_name,
        answer_hash,
        max(answer_name) AS answer_name,
        count(*) AS times,
        count(DISTINCT publisher) AS machines
    FROM named
    WHERE ended = 'answered' AND answer_hash IS NOT NULL AND shown_name IS NOT NULL
    GROUP BY shown_name, answer_hash
),
placed AS (
    SELECT counted.*, row_number() OVER (PARTITION BY shown_name ORDER BY times DESC, answer_hash) AS place
    FROM counted
)
SELECT shown_name, answer_hash, answer_name, times, machines
FROM placed
CROSS JOIN settings
WHERE place = 1 AND machines >= settings.k
ORDER BY shown_name
