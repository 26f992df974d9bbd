-- The period's questions by key and project, the most frequent first, described as last asked.
-- `keys` is how many there are in all, the limit apart. A question is one-way when it was so on the last
-- day that it was asked.
-- $1 first day, $2 last day, $3 project or NULL, $4 the first day whose open questions may still be
-- answered, $5 how many to list.
WITH counted AS (
    SELECT
        question_key,
        project,
        count(*) AS questions,
        count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
        count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
        count(*) FILTER (outcome = 'failed')::UBIGINT AS failed,
        count(*) FILTER (
            outcome = 'dismissed' OR outcome = 'open' AND day < $4::DATE
        )::UBIGINT AS dismissed,
        count(*) FILTER (outcome = 'answered' AND followed_recommendation) AS followed,
        count(*) FILTER (
            outcome = 'answered' AND followed_recommendation IS NOT NULL
        )::UBIGINT AS recommended,
        max(day) AS last_day,
        max(day) FILTER (door = 'one-way') AS last_one_way,
        max(ts) AS last_at,
        median(human_seconds) AS median_seconds
    FROM questions
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
    GROUP BY question_key, project
),
listed AS MATERIALIZED (
    SELECT *, count(*) OVER () AS keys
    FROM counted
    ORDER BY questions DESC, question_key, project
    LIMIT $5
),
last_asked AS MATERIALIZED (
    SELECT max_by(questions.rowid, struct_pack(question_index, id)) AS number
    FROM questions
    JOIN listed USING (question_key, project)
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ts = last_at
    GROUP BY question_key, project
),
described AS (
    SELECT question_key, project, key_source::VARCHAR AS key_source, question, header, options
    FROM questions
    JOIN last_asked ON last_asked.number = questions.rowid
    WHERE day BETWEEN $1::DATE AND $2::DATE
),
named AS (
    SELECT question_key, project, answer_name, count(*) AS times
    FROM questions
    SEMI JOIN listed USING (question_key, project)
    WHERE day BETWEEN $1::DATE AND $2::DATE AND outcome = 'answered' AND answer_name IS NOT NULL
    GROUP BY question_key, project, answer_name
),
usual AS (
    SELECT
        question_key,
        project,
        first(answer_name ORDER BY times DESC, answer_name) AS top_answer,
        max(times) AS top_times
    FROM named
    GROUP BY question_key, project
)
SELECT
    question_key,
    key_source,
    project,
    question,
    header,
    options,
    if(last_one_way = last_day, 'one-way', 'two-way') AS door,
    (questions - auto_decided)::UBIGINT AS asked,
    answered,
    auto_decided,
    failed,
    dismissed,
    followed / nullif(recommended, 0) AS agreement,
    recommended AS agreement_n,
    round(median_seconds, 3) AS median_seconds,
    top_answer,
    top_times / nullif(answered, 0) AS top_answer_share,
    last_at,
    keys
FROM listed
JOIN described USING (question_key, project)
LEFT JOIN usual USING (question_key, project)
ORDER BY questions DESC, question_key, project;
