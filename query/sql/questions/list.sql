-- Every question by key and project, described as last asked. $1 project or NULL.
WITH counted AS (
    SELECT
        project,
        question_key,
        count(*) FILTER (outcome <> 'auto_decided')::UBIGINT AS asked,
        count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
        count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
        max(day) AS last_day,
        max(ts) AS last_at,
        bool_or(door = 'one-way') AS is_one_way
    FROM questions
    WHERE $1::VARCHAR IS NULL OR project = $1
    GROUP BY project, question_key
),
last_asked AS (
    SELECT max_by(questions.rowid, struct_pack(question_index, id)) AS number
    FROM questions
    JOIN counted USING (project, question_key)
    WHERE questions.ts = counted.last_at
    GROUP BY project, question_key
)
SELECT
    project,
    question_key,
    questions.key_source::VARCHAR AS key_source,
    questions.question,
    questions.header,
    questions.options,
    asked,
    answered,
    auto_decided,
    last_day AS last,
    is_one_way
FROM questions
JOIN last_asked ON last_asked.number = questions.rowid
JOIN counted USING (project, question_key)
ORDER BY project, question_key;
