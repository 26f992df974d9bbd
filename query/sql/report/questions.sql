-- The period's questions by key and project, the most frequent first, described as last put.
-- `keys` is how many there are in all, the limit apart.
-- $1 first day, $2 last day, $3 project or NULL, $4 the first day whose open questions may still be
-- answered, $5 how many to list.
WITH named AS (
    SELECT series, session_kind, dense_rank() OVER (ORDER BY question_key, project) AS number
    FROM series JOIN scopes USING (scope)
    WHERE $3::VARCHAR IS NULL OR project = $3
),
period AS (
    SELECT number, session_kind, daily_facts.*
    FROM daily_facts JOIN named USING (series)
    WHERE day BETWEEN $1::DATE AND $2::DATE
),
counted AS (
    SELECT
        number,
        sum(answered)                                        AS answered,
        sum(auto_decided)                                    AS auto_decided,
        sum(failed)                                          AS failed,
        sum(dismissed)
            + coalesce(sum(open) FILTER (day < $4::DATE), 0) AS dismissed,
        sum(answered + failed + dismissed + open)            AS asked,
        sum(followed)                                        AS followed,
        sum(followed + overrode)                             AS recommended,
        max(last_at)                                         AS last_at
    FROM period
    GROUP BY number
),
listed AS (
    SELECT *, count(*) OVER () AS keys
    FROM counted
    ORDER BY asked + auto_decided DESC, number
    LIMIT $5
),
last_put AS (
    SELECT
        number,
        arg_max(
            struct_pack(series := series, wording := wording, is_one_way := is_one_way),
            struct_pack(last_at := last_at, session_kind := session_kind)
        ) AS put
    FROM period SEMI JOIN listed USING (number)
    GROUP BY number
),
described AS (
    SELECT
        last_put.number,
        scopes.project,
        series.question_key,
        coalesce(forms.key_source, 'fingerprint') AS key_source,
        coalesce(wordings.question, '') AS question,
        forms.header,
        forms.options,
        if(put.is_one_way, 'one-way', 'two-way') AS door
    FROM last_put
    JOIN series ON series.series = put.series
    JOIN scopes USING (scope)
    JOIN wordings ON wordings.number = put.wording
    JOIN forms ON forms.number = wordings.form
),
timed AS (
    SELECT number, median(seconds) AS median_seconds
    FROM (SELECT number, unnest(human_seconds) AS seconds FROM period SEMI JOIN listed USING (number))
    GROUP BY number
),
labelled AS (
    SELECT number, answer, sum(times) AS times
    FROM daily_answer_facts
    JOIN named USING (series)
    SEMI JOIN listed USING (number)
    WHERE day BETWEEN $1::DATE AND $2::DATE
    GROUP BY number, answer
),
usual AS (
    SELECT
        number,
        first(answer ORDER BY times DESC, answer) AS top_answer,
        max(times) AS top_times
    FROM labelled
    GROUP BY number
)
SELECT
    question_key,
    key_source,
    project,
    question,
    header,
    options,
    door,
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
JOIN described USING (number)
LEFT JOIN timed USING (number)
LEFT JOIN usual USING (number)
ORDER BY asked + auto_decided DESC, number;
