-- A store with three events, one segment, and a line in quarantine for every kind of reason.
INSERT INTO given_events BY NAME
SELECT
    1 AS batch, uuid() AS id, given.at_time AS ts, 'session_started' AS kind, 's' AS session_id,
    'interactive' AS session_kind, 'p' AS project, '/p' AS cwd, source, false AS truncated
FROM (VALUES
    (TIMESTAMP '2026-11-17 10:00:00', 'hook'),
    (TIMESTAMP '2026-11-18 10:00:00', 'hook'),
    (TIMESTAMP '2026-11-19 10:00:00', 'import:claude-code')
) AS given (at_time, source);

INSERT INTO segments VALUES ('2026-11-18.jsonl', 'head', 900, 2, TIMESTAMP '2026-11-19 10:00:00');

INSERT INTO quarantine VALUES
    ('1', '2026-11-18.jsonl', 10, 'torn line: EOF while parsing a string', 'x', 1, TIMESTAMP '2026-11-18 11:00:00'),
    ('2', '2026-11-18.jsonl', 20, 'torn line: EOF while parsing a string', 'x', 1, TIMESTAMP '2026-11-18 11:00:00'),
    ('3', '2026-11-18.jsonl', 30, 'not UTF-8: invalid utf-8', 'x', 1, TIMESTAMP '2026-11-18 11:00:00'),
    ('4', '2026-11-18.jsonl', 40, 'not JSON: expected value', 'x', 1, TIMESTAMP '2026-11-18 11:00:00'),
    ('5', '2026-11-18.jsonl', 50, 'schema version 7 (this plantune knows 1)', 'x', 1, TIMESTAMP '2026-11-18 11:00:00'),
    ('6', '2026-11-18.jsonl', 60, 'not an event: no kind', 'x', 1, TIMESTAMP '2026-11-18 11:00:00'),
    ('7', '2026-11-18.jsonl', 70, 'line of 2097152 bytes is longer than 1048576', 'x', 2097152, TIMESTAMP '2026-11-19 11:00:00'),
    ('8', '2026-11-18.jsonl', 80, 'something new', 'x', 1, TIMESTAMP '2026-11-19 11:00:00');
