-- A store for the report's tests. Friday 20 November 2026 is today; its week is 2026-W47. Days are those
-- of Berlin.
--
-- project A  github.com/acme/shop, project B  github.com/acme/site, project C  /home/ann/notes

-- What a question is about, by its key.
CREATE TEMP TABLE texts AS
FROM (VALUES
    ('txt-0000000000000001', 'text', 'What next for the basket?', 'Next',
     '["More questions","Next area"]', 'two-way'),
    ('commit-now', 'marker', 'Commit the changes now?', 'Commit', '["Yes","No"]', 'two-way'),
    ('drop-table', 'registry', 'Drop the table `orders` | now?', NULL, '["Drop","Keep"]', 'one-way'),
    ('run-tests', 'marker', 'Run the tests?', 'Tests', '["Yes","No"]', 'two-way'),
    ('txt-00000000000000ff', 'text', 'Which notes?', 'Notes', '["All","Some"]', 'two-way')
) AS texts (question_key, key_source, question, header, options, door);

-- Each row stands for so many `times` of a question.
CREATE TEMP TABLE asked (
    ts TIMESTAMP, project VARCHAR, session_id VARCHAR, session_kind VARCHAR, question_key VARCHAR,
    question_index INTEGER, outcome VARCHAR, answer_name VARCHAR, followed_recommendation BOOLEAN,
    human_seconds DOUBLE, times INTEGER
);

-- 2026-W47
INSERT INTO asked VALUES
    ('2026-11-16 08:00:00', 'github.com/acme/shop', 's1', 'interactive', 'txt-0000000000000001',
     0, 'answered', 'Next area', true, 10, 1),
    ('2026-11-16 08:00:00', 'github.com/acme/shop', 's1', 'interactive', 'txt-0000000000000001',
     1, 'answered', 'Next area', true, 20, 1),
    ('2026-11-16 09:00:00.250', 'github.com/acme/shop', 's1', 'interactive', 'txt-0000000000000001',
     0, 'answered', '(typed)', false, 60, 1),
    -- a session that goes on over days counts once
    ('2026-11-17 10:30:00', 'github.com/acme/shop', 's1', 'interactive', 'txt-0000000000000001',
     0, 'answered', 'Next area', true, 30.5, 1),
    -- the same day in another kind of session; one failed
    ('2026-11-17 08:00:00', 'github.com/acme/shop', 's2', 'headless', 'txt-0000000000000001',
     0, 'failed', NULL, NULL, NULL, 1),
    -- answered by a preference, with answers of the person's in earlier weeks
    ('2026-11-18 12:00:00', 'github.com/acme/shop', 's3', 'interactive', 'commit-now',
     0, 'auto_decided', NULL, NULL, NULL, 4),
    -- open: asked on Wednesday (lapsed by now), yesterday and today (still open)
    ('2026-11-18 15:00:00', 'github.com/acme/shop', 's3', 'interactive', 'drop-table',
     0, 'open', NULL, NULL, NULL, 1),
    ('2026-11-19 15:00:00', 'github.com/acme/shop', 's3', 'interactive', 'drop-table',
     0, 'open', NULL, NULL, NULL, 1),
    ('2026-11-20 07:00:00', 'github.com/acme/shop', 's3', 'interactive', 'drop-table',
     0, 'dismissed', NULL, NULL, NULL, 1),
    ('2026-11-20 07:00:00', 'github.com/acme/shop', 's3', 'interactive', 'drop-table',
     1, 'open', NULL, NULL, NULL, 1),
    -- project B has the first key too: another row
    ('2026-11-20 06:00:00', 'github.com/acme/site', 's4', 'interactive', 'txt-0000000000000001',
     0, 'answered', 'More questions', NULL, 100, 1),
    -- answered by a preference; answers of the person's only in another project, and nowhere
    ('2026-11-16 13:00:00', 'github.com/acme/site', 's5', 'spawned', 'commit-now',
     0, 'auto_decided', NULL, NULL, NULL, 1),
    ('2026-11-16 14:00:00', 'github.com/acme/site', 's5', 'spawned', 'run-tests',
     0, 'auto_decided', NULL, NULL, NULL, 1),
    ('2026-11-16 14:00:00', 'github.com/acme/site', 's5', 'spawned', 'run-tests',
     1, 'auto_decided', NULL, NULL, NULL, 1);

-- 2026-W46: Monday, Sunday
INSERT INTO asked VALUES
    ('2026-11-09 11:00:00', 'github.com/acme/shop', 's0', 'interactive', 'commit-now',
     0, 'answered', 'Yes', true, 4, 1),
    ('2026-11-09 12:00:00', 'github.com/acme/shop', 's0', 'interactive', 'commit-now',
     0, 'answered', 'Yes', true, 8, 1),
    ('2026-11-15 22:30:00', 'github.com/acme/site', 's6', 'interactive', 'run-tests',
     0, 'auto_decided', NULL, NULL, NULL, 1);

-- 2026-W40 (the trend's first week), 2026-W39 (before it), and the last year
INSERT INTO asked VALUES
    ('2026-09-28 12:00:00', 'github.com/acme/shop', 's0', 'interactive', 'commit-now',
     0, 'answered', 'Yes', true, 6, 1),
    ('2026-09-27 12:00:00', 'github.com/acme/shop', 's0', 'interactive', 'commit-now',
     0, 'answered', 'No', true, 40, 1),
    ('2025-12-29 12:00:00', '/home/ann/notes', 's7', 'interactive', 'txt-00000000000000ff',
     0, 'answered', 'All', NULL, 50, 1);

INSERT INTO questions BY NAME
SELECT
    ts, (ts AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin')::DATE AS day, project, session_id,
    session_kind, question_index, texts.*, outcome, answer_name, followed_recommendation, human_seconds,
    if(outcome = 'failed', 'mcp_error', NULL) AS error_kind
FROM asked
JOIN texts USING (question_key)
CROSS JOIN range(times);

-- Texts, headers and options vary; what was asked last is shown.
UPDATE questions SET question = 'What next for the checkout?' WHERE ts = '2026-11-17 10:30:00';
UPDATE questions SET question = 'What next, robot?' WHERE session_kind = 'headless';
UPDATE questions SET options = NULL WHERE ts = '2026-11-20 07:00:00';
UPDATE questions
SET header = '次', question = '次はどうしますか？全部の項目を確認してから次の領域に進みますか？それとも質問を続けますか？'
WHERE project = 'github.com/acme/site' AND question_key = 'txt-0000000000000001';

-- The hook's own errors, all of an earlier week.
INSERT INTO hook_errors
SELECT uuid(), '2026-11-10 10:00:00', '2026-11-10', 'github.com/acme/shop', 'timeout', NULL
FROM range(7);

INSERT INTO quarantine VALUES
    ('2026-11-16.jsonl', 10, 1, '2026-11-16', 'not JSON', 'x'::BLOB),
    ('2026-11-15.jsonl', 20, 1, '2026-11-15', 'not JSON', 'y'::BLOB),
    ('2026-11-20.jsonl', 10, 1, '2026-11-20', 'not JSON', 'z'::BLOB);
