-- A store's rollups for tests. Friday 20 November 2026 is today; its week is 2026-W47.
--
-- project A  github.com/acme/shop, project B  github.com/acme/site, project C  /home/ann/notes

-- 2026-W47, project A
INSERT INTO given_daily VALUES
    ('2026-11-16', 'github.com/acme/shop', 'fp-0000000000000001', 'interactive', 'fingerprint',
     'What next for the basket?', 'Next', ['More questions', 'Next area'], 'two-way',
     '2026-11-16 09:00:00.250', 2, 3, 3, 0, 0, 0, 0, 2, 1, 0, [10, 20, 60]),
    ('2026-11-17', 'github.com/acme/shop', 'fp-0000000000000001', 'interactive', 'fingerprint',
     'What next for the checkout?', 'Next', ['More questions', 'Next area'], 'two-way',
     '2026-11-17 10:30:00', 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, [30.5]),
    -- the same day in another kind of session; one failed
    ('2026-11-17', 'github.com/acme/shop', 'fp-0000000000000001', 'headless', 'fingerprint',
     'What next, robot?', 'Next', ['More questions', 'Next area'], 'two-way',
     '2026-11-17 08:00:00', 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, []),
    -- answered by a preference, with answers of the person's in earlier weeks
    ('2026-11-18', 'github.com/acme/shop', 'commit-now', 'interactive', 'marker',
     'Commit the changes now?', 'Commit', ['Yes', 'No'], 'two-way',
     '2026-11-18 12:00:00', 4, 0, 0, 4, 0, 0, 0, 0, 0, 0, []),
    -- open: asked on Wednesday (lapsed by now), yesterday and today (still open)
    ('2026-11-18', 'github.com/acme/shop', 'drop-table', 'interactive', 'registry',
     'Drop the table `orders` | now?', NULL, ['Drop', 'Keep'], 'one-way',
     '2026-11-18 15:00:00', 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, []),
    ('2026-11-19', 'github.com/acme/shop', 'drop-table', 'interactive', 'registry',
     'Drop the table `orders` | now?', NULL, ['Drop', 'Keep'], 'one-way',
     '2026-11-19 15:00:00', 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, []),
    ('2026-11-20', 'github.com/acme/shop', 'drop-table', 'interactive', 'registry',
     'Drop the table `orders` | now?', NULL, NULL, 'one-way',
     '2026-11-20 07:00:00', 1, 2, 0, 0, 0, 1, 1, 0, 0, 0, []),
    -- project B has the first key too: another row
    ('2026-11-20', 'github.com/acme/site', 'fp-0000000000000001', 'interactive', 'fingerprint',
     '次はどうしますか？全部の項目を確認してから次の領域に進みますか？それとも質問を続けますか？', '次', ['More questions', 'Next area'], 'two-way',
     '2026-11-20 06:00:00', 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, [100]),
    -- answered by a preference; answers of the person's only in another project, and nowhere
    ('2026-11-16', 'github.com/acme/site', 'commit-now', 'spawned', 'marker',
     'Commit the changes now?', 'Commit', ['Yes', 'No'], 'two-way',
     '2026-11-16 13:00:00', 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, []),
    ('2026-11-16', 'github.com/acme/site', 'run-tests', 'spawned', 'marker',
     'Run the tests?', 'Tests', ['Yes', 'No'], 'two-way',
     '2026-11-16 13:00:00', 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, []);

-- 2026-W46: Monday, Sunday
INSERT INTO given_daily VALUES
    ('2026-11-09', 'github.com/acme/shop', 'commit-now', 'interactive', 'marker',
     'Commit the changes now?', 'Commit', ['Yes', 'No'], 'two-way',
     '2026-11-09 12:00:00', 2, 2, 2, 0, 0, 0, 0, 2, 0, 0, [4, 8]),
    ('2026-11-15', 'github.com/acme/site', 'run-tests', 'interactive', 'marker',
     'Run the tests?', 'Tests', ['Yes', 'No'], 'two-way',
     '2026-11-15 22:30:00', 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, []);

-- 2026-W40 (the trend's first week), 2026-W39 (before it), and the last year
INSERT INTO given_daily VALUES
    ('2026-09-28', 'github.com/acme/shop', 'commit-now', 'interactive', 'marker',
     'Commit the changes now?', 'Commit', ['Yes', 'No'], 'two-way',
     '2026-09-28 12:00:00', 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, [6]),
    ('2026-09-27', 'github.com/acme/shop', 'commit-now', 'interactive', 'marker',
     'Commit the changes now?', 'Commit', ['Yes', 'No'], 'two-way',
     '2026-09-27 12:00:00', 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, [40]),
    ('2025-12-29', '/home/ann/notes', 'fp-00000000000000ff', 'interactive', 'fingerprint',
     'Which notes?', 'Notes', ['All', 'Some'], 'two-way',
     '2025-12-29 12:00:00', 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, [50]);

INSERT INTO given_daily_answers VALUES
    ('2026-11-16', 'github.com/acme/shop', 'fp-0000000000000001', 'Next area', 2),
    ('2026-11-16', 'github.com/acme/shop', 'fp-0000000000000001', '(typed)', 1),
    ('2026-11-17', 'github.com/acme/shop', 'fp-0000000000000001', 'Next area', 1),
    ('2026-11-20', 'github.com/acme/site', 'fp-0000000000000001', 'More questions', 1),
    ('2026-11-09', 'github.com/acme/shop', 'commit-now', 'Yes', 2),
    ('2026-09-28', 'github.com/acme/shop', 'commit-now', 'Yes', 1),
    ('2026-09-27', 'github.com/acme/shop', 'commit-now', 'No', 1),
    ('2025-12-29', '/home/ann/notes', 'fp-00000000000000ff', 'All', 1);

INSERT INTO given_daily_sessions VALUES
    ('2026-11-16', 'github.com/acme/shop', 's1', 'interactive'),
    -- a session that goes on over days counts once
    ('2026-11-17', 'github.com/acme/shop', 's1', 'interactive'),
    ('2026-11-17', 'github.com/acme/shop', 's2', 'headless'),
    ('2026-11-18', 'github.com/acme/shop', 's3', 'interactive'),
    ('2026-11-20', 'github.com/acme/site', 's4', 'interactive'),
    ('2026-11-16', 'github.com/acme/site', 's5', 'spawned'),
    ('2026-11-09', 'github.com/acme/shop', 's0', 'interactive'),
    ('2026-11-15', 'github.com/acme/site', 's6', 'interactive');

INSERT INTO daily_errors VALUES
    ('2026-11-17', 'github.com/acme/shop', 'mcp_error', 1),
    ('2026-11-10', 'github.com/acme/shop', 'timeout', 7);

-- Sunday 23:30 UTC is Monday in Berlin.
INSERT INTO quarantine (segment, "offset", reason, bytes, length, seen_at, id) VALUES
    ('2026-11-15.jsonl', 10, 'not JSON', 'x'::BLOB, 1, '2026-11-15 23:30:00', 'a'),
    ('2026-11-15.jsonl', 20, 'not JSON', 'y'::BLOB, 1, '2026-11-15 22:30:00', 'b'),
    ('2026-11-20.jsonl', 10, 'not JSON', 'z'::BLOB, 1, '2026-11-20 09:00:00', 'c');
