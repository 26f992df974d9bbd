-- The unmarked questions of some days as last asked in them, for the names that they have today; `id` finds
-- them again. $1 first day, $2 last day, $3 project or NULL.
WITH latest AS (
    SELECT
        hash(project, question_key) AS id,
        -- Of equal times that with the highest id.
        max_by(rowid, epoch_us(ts)::HUGEINT * 18446744073709551616 + id) AS number
    FROM questions
    WHERE
        key_source IN ('fingerprint', 'family')
        AND day BETWEEN $1::DATE AND $2::DATE
        AND ($3::VARCHAR IS NULL OR project = $3)
    GROUP BY ALL
)
SELECT
    latest.id, project, question_key, key_source::VARCHAR AS key_source, question, header, options
FROM latest
JOIN questions ON questions.rowid = number
WHERE day BETWEEN $1::DATE AND $2::DATE;
