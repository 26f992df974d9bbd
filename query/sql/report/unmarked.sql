-- The unmarked questions of some days as last asked in them, for the names that they have today; `id` finds
-- them again. Reads the variable `request`.
WITH latest AS (
    SELECT
        hash(project, question_key, question, header) AS id,
        -- Of equal times that with the highest id.
        max_by(rowid, epoch_us(ts)::HUGEINT * 18446744073709551616 + id) AS number
    FROM questions
    WHERE
        key_source IN ('options', 'text')
        AND day BETWEEN getvariable('request').first_day_before AND getvariable('request').last_day
        AND (getvariable('request').project IS NULL OR project = getvariable('request').project)
    GROUP BY ALL
)
SELECT
    latest.id, project, question_key, question, header, options
FROM latest
JOIN questions ON questions.rowid = number
WHERE day BETWEEN getvariable('request').first_day_before AND getvariable('request').last_day;
