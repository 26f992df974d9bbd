-- Eight weeks and more of questions at random: the more frequent ones have forty answers in the last
-- week, others in eight weeks, others never. Of some answers no time is known; some questions come up at
-- the same time.
INSERT INTO questions BY NAME
SELECT
    ts,
    ts::DATE AS day,
    'project-' || n % 2 AS project,
    'habit-' || habit AS question_key,
    (CASE WHEN random % 10 = 0 THEN 'headless' ELSE 'interactive' END)::session_kind AS session_kind,
    (CASE WHEN random % 7 < 5 THEN 'answered' ELSE 'auto_decided' END)::outcome AS outcome,
    '["Yes"]' AS answer,
    if(random % 7 < 5 AND random % 11 > 0, random % 60, NULL) AS human_seconds
FROM (
    SELECT
        n,
        hash(n, 1) // 1000 AS random,
        floor(log2(1 + hash(n, 2) % 1000))::INTEGER AS habit,
        TIMESTAMP '2026-11-20 09:00:00' - to_hours(n // 4) AS ts
    FROM range(6000) AS numbers (n)
);
