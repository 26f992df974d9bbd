-- The questions a person answered at least $1 times in one project, as last put: project, key, key
-- source, text, header, options, and how often it was put in the four weeks before it was last put.
WITH candidates AS (
    SELECT project, question_key, max(day) AS last_day
    FROM daily
    WHERE session_kind = 'interactive'
    GROUP BY project, question_key
    HAVING sum(answered) >= $1
),
described AS (
    SELECT
        project,
        question_key,
        arg_max({
            'key_source': key_source, 'question': question, 'header': header, 'options': options
        }, (last_at, session_kind)) AS newest,
        sum(asked + auto_decided) FILTER (WHERE day > last_day - 28) AS recent_askings
    FROM daily JOIN candidates USING (project, question_key)
    GROUP BY project, question_key
)
SELECT
    project,
    question_key,
    newest.key_source,
    newest.question,
    newest.header,
    newest.options,
    CAST(recent_askings AS UBIGINT)
FROM described
ORDER BY project, question_key;
