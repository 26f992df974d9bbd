-- The questions whose keys the JSON list $1 holds, each as last asked in each project, the latest first: key, project,
-- key source, text, header, options, why it was one-way if it was, whether several options could be chosen,
-- descriptions and previews.
SELECT
    question_key,
    project,
    key_source::VARCHAR AS key_source,
    question,
    header,
    options,
    CASE WHEN door = 'one-way' THEN coalesce(door_reason, 'as logged') END AS one_way,
    coalesce(multi_select, false) AS multi_select,
    descriptions,
    previews
FROM questions
WHERE question_key IN (SELECT unnest(from_json($1::VARCHAR, '["VARCHAR"]')))
QUALIFY row_number() OVER (
    PARTITION BY question_key, project ORDER BY ts DESC, question_index DESC, id DESC
) = 1
ORDER BY ts DESC, question_index DESC, id DESC;
