-- The question $1 as last asked, in the project $2 if it was ever asked there: key source, text, header,
-- options, why it was one-way if it was, and whether several options could be chosen.
WITH last_asked AS (
    SELECT rowid AS number
    FROM questions
    WHERE question_key = $1
    ORDER BY project = $2 DESC NULLS LAST, ts DESC, question_index DESC, id DESC
    LIMIT 1
)
SELECT
    key_source::VARCHAR,
    question,
    header,
    options,
    CASE WHEN door = 'one-way' THEN coalesce(door_reason, 'as logged') END,
    coalesce(multi_select, false),
    descriptions,
    previews
FROM questions
JOIN last_asked ON last_asked.number = questions.rowid;
