-- The answers of a person's, or of a program's, to each question that they answered often enough in one project, and the
-- latest answers to questions that they answered less often under a key that may belong to others: unmarked ones, and
-- those that a rule names. Reads the variable `evidence`.
-- Finding the latest is most of the work, so questions are counted first. They are counted by hashes, of which there may
-- be millions; of equal times, digits of the id decide.
WITH answers AS (
    SELECT number, hash(project, question_key, of_program) AS habit, question_key, key_source, day, ts, id
    FROM own_answers
    WHERE day > getvariable('evidence').first_day AND day <= getvariable('evidence').last_day
),
frequent AS MATERIALIZED (
    SELECT habit, count(*) > getvariable('evidence').most AS is_cut
    FROM answers
    GROUP BY habit
    HAVING count(*) >= getvariable('evidence').least
),
loose AS MATERIALIZED (
    SELECT number
    FROM answers
    ANTI JOIN frequent USING (habit)
    WHERE
        -- Typed words: an enumerated column is compared with an untyped one as text, row by row.
        key_source IN ('options'::key_source, 'text'::key_source)
        OR (
            getvariable('evidence').named <> ''
            AND list_contains(string_split(getvariable('evidence').named, ','), question_key)
        )
    ORDER BY ts DESC, id DESC
    LIMIT getvariable('evidence').loose
),
wanted AS (
    SELECT number
    FROM answers
    JOIN frequent USING (habit)
    WHERE NOT is_cut
    UNION ALL
    SELECT unnest(max_by(number, epoch_us(ts) + (id % 1000)::BIGINT, 4000)) AS number
    FROM answers
    JOIN frequent USING (habit)
    WHERE is_cut
    GROUP BY habit
    UNION ALL
    SELECT number FROM loose
)
SELECT
    project,
    question_key,
    key_source::VARCHAR AS key_source,
    ts AS at,
    day,
    session_id,
    question_index,
    question,
    header,
    options,
    recommended,
    coalesce(multi_select, false) AS multi_select,
    CASE WHEN door = 'one-way' THEN coalesce(door_reason, 'as logged') END AS one_way,
    answer AS labels,
    free_text IS NOT NULL OR notes IS NOT NULL AS said_more,
    answering_seconds(human_seconds, question_count) AS human_seconds,
    descriptions,
    previews,
    host AS tool,
    starts_with(source, 'import') AS is_imported,
    CASE WHEN notes IS NULL AND length(free_text) <= 400 THEN free_text END AS typed,
    skill AS asker
FROM questions
JOIN wanted ON wanted.number = questions.rowid
-- By the day, too: that is what DuckDB leaves rows out by.
WHERE day > getvariable('evidence').first_day;
