-- A small store: questions as the ingester would have them.
CREATE TEMP TABLE asked AS
-- The layout, a day apart; of six askings a preference answers one, and one fails.
SELECT
    'github.com/o/r' AS project, 'layout' AS question_key, 'interactive' AS session_kind, n,
    TIMESTAMP '2026-10-20 09:00:00' + n * INTERVAL 1 DAY AS ts,
    CASE n % 6
        WHEN 1 THEN 'auto_decided' WHEN 2 THEN 'failed'
        ELSE 'answered'
    END AS outcome
FROM range(24) AS numbers(n)
UNION ALL
-- Three times a day, seventy days.
SELECT
    'github.com/o/r', 'many', 'interactive', n,
    TIMESTAMP '2026-09-01 09:00:00' + n * INTERVAL 8 HOUR, 'answered'
FROM range(210) AS numbers(n)
UNION ALL
-- What must never be proposed, and what must never reach a terminal as it is; daily.
SELECT
    'github.com/o/r', key, 'interactive', n,
    TIMESTAMP '2026-09-01 15:00:00' + n * INTERVAL 1 DAY, 'answered'
FROM range(60) AS numbers(n), unnest(['tables', 'hostile']) AS keys(key)
UNION ALL
SELECT
    'github.com/o/other', 'layout', 'interactive', n,
    TIMESTAMP '2026-10-20 09:00:00' + n * INTERVAL 1 DAY, 'answered'
FROM range(3) AS numbers(n)
UNION ALL
SELECT
    'github.com/o/r', 'twice', 'interactive', n,
    TIMESTAMP '2026-10-20 09:00:00' + n * INTERVAL 1 DAY, 'answered'
FROM range(2) AS numbers(n)
UNION ALL
-- Nobody answers in these sessions.
SELECT
    'github.com/o/r', 'alone', if(n % 2 = 0, 'headless', 'spawned'), n,
    TIMESTAMP '2026-10-20 09:00:00' + n * INTERVAL 1 DAY, 'answered'
FROM range(40) AS numbers(n);

INSERT INTO questions BY NAME
SELECT
    CAST(ts AS DATE) AS day,
    ts,
    question_key || project || n AS tool_use_id,
    1 AS question_count,
    question_key || n AS session_id,
    session_kind,
    project,
    question_key,
    CASE question_key
        WHEN 'tables' THEN 'Delete the old tables?'
        WHEN 'hostile' THEN 'Style' || chr(27) || ']0;owned' || chr(7) || chr(8238) || 'guide?'
        ELSE 'Which layout?'
    END AS question,
    to_json([label || ' (Recommended)', 'List'])::VARCHAR AS options,
    label AS recommended,
    false AS multi_select,
    if(n = 12 OR question_key = 'tables', 'one-way', 'two-way') AS door,
    if(n = 12 OR question_key = 'tables', 'as it was found', NULL) AS door_reason,
    outcome,
    if(outcome = 'answered', to_json([label || ' (Recommended)'])::VARCHAR, NULL) AS answer,
    if(question_key = 'layout' AND n IN (3, 21), 'mine', NULL) AS free_text,
    if(outcome = 'answered', false, NULL) AS was_auto_decided,
    if(outcome = 'answered', 30.0, NULL) AS human_seconds
FROM (
    SELECT *, if(question_key = 'hostile', 'Gr' || chr(155) || '31mid', 'Grid') AS label
    FROM asked
);
