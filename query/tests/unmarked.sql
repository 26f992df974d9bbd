-- A habit that never reads the same twice, between what was asked once or twice. In the project of a rule,
-- "release" names what was logged under two keys.
INSERT INTO questions BY NAME
SELECT
    TIMESTAMP '2026-11-10 09:00:00' + day * INTERVAL 1 DAY AS ts,
    ts::DATE AS day,
    'github.com/acme/shop' AS project,
    'opt-41c614138602d8f3' AS question_key,
    'options' AS key_source,
    format('More questions about {}, or move to the next area?', area) AS question,
    '["More questions","Next area"]' AS options,
    if(day = 9, 'dismissed', 'answered')::outcome AS outcome,
    if(day = 9, NULL, '["Next area"]') AS answer,
    if(day = 9, NULL, 'Next area') AS answer_name,
    if(day = 9, NULL, 10 * day)::DOUBLE AS human_seconds
FROM (
    VALUES (1, 'the login'), (6, 'the cart'), (7, 'search'), (8, 'mail'), (9, 'the docs')
) AS areas (day, area);

INSERT INTO questions BY NAME
SELECT
    TIMESTAMP '2026-11-17 12:00:00' AS ts,
    DATE '2026-11-17' AS day,
    'github.com/acme/shop' AS project,
    key AS question_key,
    'text' AS key_source,
    text AS question,
    options,
    'open' AS outcome
FROM (
    VALUES
        ('txt-a', 'Release 1.0 now?', '["Now","Later"]'),
        ('txt-b', 'Release the second one now?', '["Now","Later"]'),
        ('txt-c', 'Which colour?', '["Red","Blue"]')
) AS others (key, text, options);
