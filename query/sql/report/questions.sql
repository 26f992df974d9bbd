-- The period's questions by key and project, the most frequent first, described as last asked, with how
-- often each answer was given. `keys` is how many there are in all, the limit apart. A question is one-way
-- when it was so on the last day that it was asked.
-- $1 first day, $2 last day, $3 project or NULL, $4 the first day whose open questions may still be
-- answered, $5 how many to list.
WITH counted AS (
    SELECT
        question_key,
        project,
        count(*) AS times,
        count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
        count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
        count(*) FILTER (outcome = 'failed')::UBIGINT AS failed,
        count(*) FILTER (
            outcome = 'dismissed' OR outcome = 'open' AND day < $4::DATE
        )::UBIGINT AS dismissed,
        count(*) FILTER (outcome = 'answered' AND followed_recommendation) AS followed,
        count(*) FILTER (
            outcome = 'answered' AND followed_recommendation IS NOT NULL
        )::UBIGINT AS agreement_n,
        max(day) AS last_day,
        max(day) FILTER (door = 'one-way') AS last_one_way,
        -- The latest; of one call the last question, and of equal ones that with the highest id.
        max_by(
            rowid, (epoch_us(ts)::HUGEINT * 16 + least(question_index, 15)) * 18446744073709551616 + id
        ) AS number,
        median(answering_seconds(human_seconds, question_count)) AS median_seconds,
        histogram(answer_name) FILTER (outcome = 'answered') AS answers
    FROM questions
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
    GROUP BY question_key, project
),
listed AS (
    SELECT *, count(*) OVER () AS keys
    FROM counted
    ORDER BY times DESC, question_key, project
    LIMIT $5
)
SELECT
    listed.question_key,
    key_source::VARCHAR AS key_source,
    listed.project,
    question,
    header,
    options,
    if(last_one_way = last_day, 'one-way', 'two-way') AS door,
    (times - auto_decided)::UBIGINT AS asked,
    answered,
    auto_decided,
    failed,
    dismissed,
    followed / nullif(agreement_n, 0) AS agreement,
    agreement_n,
    round(median_seconds, 3) AS median_seconds,
    answers,
    ts AS last_at,
    keys
FROM listed
JOIN questions ON questions.rowid = number
WHERE day BETWEEN $1::DATE AND $2::DATE
ORDER BY times DESC, listed.question_key, listed.project;
