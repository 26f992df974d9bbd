-- What the answers of preferences from 2026-11-14 on spared, counted plainly.
SELECT sum(times * seconds)
FROM (
    SELECT project, question_key, count(*) AS times
    FROM questions
    WHERE outcome = 'auto_decided' AND day >= DATE '2026-11-14'
    GROUP BY project, question_key
)
JOIN (
    SELECT project, question_key, median(human_seconds) AS seconds
    FROM (
        FROM questions
        WHERE outcome = 'answered'
        QUALIFY row_number() OVER (PARTITION BY project, question_key ORDER BY ts DESC, id DESC) <= 40
    )
    GROUP BY project, question_key
) USING (project, question_key);
