-- How often each question that a person answered often enough in one project was asked in the four weeks before it
-- was last asked, that time included, answered by whomever: project, key, times. What programs were asked is left
-- out. Reads the variable `evidence`.
WITH frequent AS MATERIALIZED (
    SELECT
        hash(project, question_key) AS habit,
        max(day) AS last_day
    FROM questions
    -- A typed word: an enumerated column is compared with an untyped one as text, row by row.
    WHERE
        session_kind = 'interactive'::session_kind
        AND NOT coalesce(starts_with(host, 'sdk-'), false)
        AND day <= getvariable('evidence').last_day
    GROUP BY habit
    HAVING count(*) FILTER (outcome = 'answered'::outcome) >= getvariable('evidence').least
)
SELECT
    any_value(project) AS project,
    any_value(question_key) AS question_key,
    any_value(key_source)::VARCHAR AS key_source,
    count(*)::UBIGINT AS recent_askings
FROM questions
JOIN frequent ON frequent.habit = hash(project, question_key)
WHERE
    day > last_day - 28
    AND day <= getvariable('evidence').last_day
    AND NOT coalesce(starts_with(host, 'sdk-'), false)
GROUP BY habit;
