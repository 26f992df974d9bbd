-- The period's questions by name and project, the most frequent first, described as last asked, with the answer that
-- was given most often. `keys` is how many there are in all and `asked_once` how many of these came
-- up once, the limit apart; `in_several_projects` is true where another project asked it too. A question is one-way
-- when it was so on the last day that it was asked.
-- Reads the variable `request`, and `across`: each question is then one row over all projects, with one of them.
WITH counted AS (
    SELECT
        name,
        min(project) AS project,
        count(*) AS times,
        count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
        count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
        count(*) FILTER (outcome = 'failed')::UBIGINT AS failed,
        count(*) FILTER (
            outcome = 'dismissed' OR outcome = 'open' AND day < getvariable('request').open_from
        )::UBIGINT AS dismissed,
        count(*) FILTER (outcome = 'answered' AND followed_recommendation) AS followed,
        count(*) FILTER (
            outcome = 'answered' AND followed_recommendation IS NOT NULL
        )::UBIGINT AS agreement_n,
        max(day) AS last_day,
        max(day) FILTER (door = 'one-way') AS last_one_way,
        -- The latest; of one call the last question, and of equal ones that with the highest id.
        max_by(
            row, (epoch_us(ts)::HUGEINT * 16 + least(question_index, 15)) * 18446744073709551616 + id
        ) AS number,
        median(answering_seconds(human_seconds, question_count)) AS median_seconds,
        histogram(answer_name) FILTER (outcome = 'answered') AS answers
    FROM named_questions(
        getvariable('request').first_day, getvariable('request').last_day, getvariable('request').project
    )
    GROUP BY name, if(getvariable('across'), '', project)
),
listed AS (
    SELECT
        *,
        -- The most frequent; of equally frequent ones the first by name.
        list_sort([{times: -given.value::BIGINT, name: given.key} FOR given IN map_entries(answers)])[1] AS top,
        count(*) OVER ()::UBIGINT AS keys,
        (count(*) FILTER (times = 1) OVER ())::UBIGINT AS asked_once,
        count(*) OVER (PARTITION BY name) > 1 AS in_several_projects
    FROM counted
    ORDER BY times DESC, name, project
    LIMIT getvariable('request').listed
)
SELECT
    name AS question_key,
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
    top.name AS top_answer,
    -top.times / answered AS top_answer_share,
    ts AS last_at,
    keys,
    asked_once,
    in_several_projects
FROM listed
JOIN questions ON questions.rowid = number
WHERE day BETWEEN getvariable('request').first_day AND getvariable('request').last_day
ORDER BY times DESC, name, listed.project;
