-- The period's questions by key and project, the most frequent first, described as last put.
-- `keys` is how many there are in all, the limit apart.
-- $1 first day, $2 last day, $3 project or NULL, $4 the first day whose open questions may still be
-- answered, $5 how many to list.
WITH counted AS (
    SELECT
        project,
        question_key,
        sum(answered)                                        AS answered,
        sum(auto_decided)                                    AS auto_decided,
        sum(failed)                                          AS failed,
        sum(dismissed)
            + coalesce(sum(open) FILTER (day < $4::DATE), 0) AS dismissed,
        sum(answered + failed + dismissed + open)            AS asked,
        sum(followed)                                        AS followed,
        sum(followed + overrode)                             AS recommended,
        max(last_at)                                         AS last_at
    FROM daily
    WHERE day BETWEEN $1::DATE AND $2::DATE AND ($3::VARCHAR IS NULL OR project = $3)
    GROUP BY project, question_key
),
listed AS (
    SELECT *, count(*) OVER () AS keys
    FROM counted
    ORDER BY asked + auto_decided DESC, question_key, project
    LIMIT $5
),
described AS (
    SELECT
        project,
        question_key,
        arg_max(
            struct_pack(
                key_source := key_source,
                question := question,
                header := header,
                options := options,
                door := door
            ),
            struct_pack(last_at := last_at, session_kind := session_kind)
        ) AS text
    FROM daily SEMI JOIN listed USING (project, question_key)
    WHERE day BETWEEN $1::DATE AND $2::DATE
    GROUP BY project, question_key
),
timed AS (
    SELECT project, question_key, median(seconds) AS median_seconds
    FROM (
        SELECT project, question_key, unnest(human_seconds) AS seconds
        FROM daily SEMI JOIN listed USING (project, question_key)
        WHERE day BETWEEN $1::DATE AND $2::DATE
    )
    GROUP BY project, question_key
),
labelled AS (
    SELECT project, question_key, answer, sum(times) AS times
    FROM daily_answers SEMI JOIN listed USING (project, question_key)
    WHERE day BETWEEN $1::DATE AND $2::DATE
    GROUP BY project, question_key, answer
),
usual AS (
    SELECT
        project,
        question_key,
        first(answer ORDER BY times DESC, answer) AS top_answer,
        max(times) AS top_times
    FROM labelled
    GROUP BY project, question_key
)
SELECT
    question_key,
    text.key_source,
    project,
    text.question,
    text.header,
    text.options,
    text.door,
    asked::UBIGINT AS asked,
    answered,
    auto_decided,
    failed,
    dismissed,
    followed / nullif(recommended, 0) AS agreement,
    recommended AS agreement_n,
    round(median_seconds, 3) AS median_seconds,
    top_answer,
    -- A label counts once an answer, so this is the share of the answers that held it.
    top_times / nullif(answered, 0) AS top_answer_share,
    last_at,
    keys
FROM listed
JOIN described USING (project, question_key)
LEFT JOIN timed USING (project, question_key)
LEFT JOIN usual USING (project, question_key)
ORDER BY asked + auto_decided DESC, question_key, project;
