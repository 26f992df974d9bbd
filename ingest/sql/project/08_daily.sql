DELETE FROM daily
USING cells
WHERE daily.day = cells.day
  AND daily.project = cells.project
  AND daily.question_key = cells.question_key;

INSERT INTO daily BY NAME
SELECT
    day,
    project,
    question_key,
    session_kind,
    arg_max(key_source, put_at) AS key_source,
    arg_max(question, put_at) AS question,
    arg_max(header, put_at) AS header,
    arg_max(options, put_at) AS options,
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
    count(*) FILTER (outcome = 'answered' AND followed_recommendation IS NULL) AS unrecommended,
    coalesce(list(human_seconds ORDER BY human_seconds) FILTER (human_seconds IS NOT NULL), [])
        AS human_seconds
FROM questions
SEMI JOIN cells USING (day, project, question_key)
GROUP BY day, project, question_key, session_kind;
