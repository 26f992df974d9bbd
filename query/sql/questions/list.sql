-- Every question by the name that it has today and project, described as last asked, the most often asked first; `keys`
-- are those that it was logged under. $1 project or NULL.
WITH counted AS (
    SELECT
        project,
        name,
        count(*) FILTER (outcome <> 'auto_decided')::UBIGINT AS asked,
        count(*) FILTER (outcome = 'answered')::UBIGINT AS answered,
        count(*) FILTER (outcome = 'auto_decided')::UBIGINT AS auto_decided,
        max(day) AS last_day,
        list(DISTINCT logged_as ORDER BY logged_as) AS keys,
        -- The latest, as in report/questions.sql.
        max_by(
            row, (epoch_us(ts)::HUGEINT * 16 + least(question_index, 15)) * 18446744073709551616 + id
        ) AS number
    FROM named_questions('0001-01-01'::DATE, '9999-12-31'::DATE, $1::VARCHAR)
    GROUP BY project, name
)
SELECT
    counted.project,
    name AS question_key,
    key_source::VARCHAR AS key_source,
    question,
    header,
    options,
    asked,
    answered,
    auto_decided,
    last_day AS last,
    keys
FROM counted
JOIN questions ON questions.rowid = number
ORDER BY asked + auto_decided DESC, counted.project, name;
