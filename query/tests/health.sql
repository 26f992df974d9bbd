-- A question, two segments, and a line in quarantine for every kind of reason.
INSERT INTO questions BY NAME
SELECT
    TIMESTAMP '2026-11-17 10:00:00' AS ts, DATE '2026-11-17' AS day, 'p' AS project,
    'k' AS question_key, 'open' AS outcome;

INSERT INTO segments BY NAME
SELECT
    '2026-11-18.jsonl' AS segment, 900 AS "offset", 900 AS length, 0 AS modified_ns, 2 AS events,
    TIMESTAMP '2026-11-18 10:00:00' AS last_hook_at, NULL AS damage
UNION ALL
SELECT '2026-11.parquet', 70, 70, 0, 1, NULL, 'events were changed';

INSERT INTO quarantine VALUES
    ('2026-11-18.jsonl', 10, 1, '2026-11-17', 'torn line: EOF while parsing a string', 'x'),
    ('2026-11-18.jsonl', 20, 1, '2026-11-18', 'torn line: EOF while parsing a string', 'x'),
    ('2026-11-18.jsonl', 30, 1, '2026-11-18', 'not UTF-8: invalid utf-8', 'x'),
    ('2026-11-18.jsonl', 40, 1, '2026-11-18', 'not JSON: expected value', 'x'),
    ('2026-11-18.jsonl', 50, 1, '2026-11-18', 'schema version 7 (this plantune knows 1)', 'x'),
    ('2026-11-18.jsonl', 60, 1, '2026-11-18', 'not an event: no kind', 'x'),
    ('2026-11-18.jsonl', 70, 2097152, '2026-11-19', 'line of 2097152 bytes is longer than 1048576', 'x'),
    ('2026-11-18.jsonl', 80, 1, '2026-11-19', 'something new', 'x');
