DELETE FROM daily
USING cells
WHERE daily.day = cells.day
  AND daily.project = cells.project;

INSERT INTO daily BY NAME
WITH touched AS (
    SELECT
        day, project, question_key, session_kind, put_at, question_index, outcome, door,
        followed_recommendation, human_seconds, rowid AS row_number,
        -- when, and for the same moment any order, as long as it is always the same
        epoch_us(put_at)::HUGEINT * 18_446_744_073_709_551_616
            + hash(tool_use_id, question_index) AS moment
    FROM questions
    SEMI JOIN cells USING (day, project)
),
counted AS (
    SELECT
        day,
        project,
        question_key,
        session_kind,
        -- The question as last put that day is looked up by its row: texts are not grouped.
        arg_max(row_number, moment) AS last_row,
        -- One asking that cannot be taken back makes the question one-way.
        min(door) AS door,
        max(put_at) AS last_at,
        count(*) FILTER (question_index = 0) AS calls,
        count(*) FILTER (outcome <> 'auto_decided') AS asked,
        count(*) FILTER (outcome = 'answered') AS answered,
        count(*) FILTER (outcome = 'auto_decided') AS auto_decided,
        count(*) FILTER (outcome = 'failed') AS failed,
        count(*) FILTER (outcome = 'dismissed') AS dismissed,
        count(*) FILTER (outcome = 'open') AS open,
        count(*) FILTER (outcome = 'answered' AND followed_recommendation) AS followed,
        count(*) FILTER (outcome = 'answered' AND NOT followed_recommendation) AS overrode,
        count(*) FILTER (outcome = 'answered' AND followed_recommendation IS NULL)
            AS unrecommended,
        coalesce(list_sort(list(human_seconds) FILTER (human_seconds IS NOT NULL)), [])
            AS human_seconds
    FROM touched
    GROUP BY day, project, question_key, session_kind
)
SELECT
    counted.* EXCLUDE (last_row),
    described.key_source,
    described.question,
    described.header,
    described.options
FROM counted
JOIN (SELECT rowid AS row_number, key_source, question, header, options FROM questions) AS described
    ON described.row_number = counted.last_row;
