-- The most frequent answer of each question that is shown, where at least k machines gave it; of two as frequent, the
-- first by its hash. Its share is one of all answers to the question.
SELECT name, hash, answer, times, machines, CAST(times AS DOUBLE) / answers AS share
FROM (
    SELECT
        counted.*,
        sum(times) OVER (PARTITION BY name) AS answers,
        row_number() OVER (
            PARTITION BY name ORDER BY CASE WHEN hash IS NULL THEN 1 ELSE 0 END, times DESC, hash
        ) AS place
    FROM (
        SELECT
            shown_name AS name,
            answer_hash AS hash,
            max(answer_name) AS answer,
            count(*) AS times,
            count(DISTINCT machine) AS machines
        FROM named
        WHERE part = 'question' AND ended = 'answered' AND shown_name IS NOT NULL
        GROUP BY shown_name, answer_hash
    ) AS counted
) AS placed
CROSS JOIN settings
WHERE place = 1 AND hash IS NOT NULL AND machines >= k
ORDER BY name
