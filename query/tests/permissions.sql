-- A store for the tests of prompts for permission. Project A is github.com/acme/shop, B github.com/acme/site.
-- Prompts: number, time, project, session, its kind, tool, subject, reach.
CREATE TEMP TABLE asked AS
FROM (VALUES
    (1, '2026-11-02 09:00:00', 'github.com/acme/shop', 's1', 'interactive', 'Bash', 'npm test', 'reads'),
    (2, '2026-11-16 09:00:00', 'github.com/acme/shop', 's2', 'interactive', 'Bash', 'npm test', 'reads'),
    (3, '2026-11-16 10:00:00', 'github.com/acme/shop', 's2', 'interactive', 'Bash', 'git push', 'beyond'),
    -- for the session, and again in it, and in another one
    (4, '2026-11-17 09:00:00', 'github.com/acme/shop', 's3', 'interactive', 'Edit', 'Edit src', 'project'),
    (5, '2026-11-17 09:05:00', 'github.com/acme/shop', 's3', 'interactive', 'Edit', 'Edit src', 'project'),
    (6, '2026-11-17 09:06:00', 'github.com/acme/shop', 's4', 'interactive', 'Edit', 'Edit src', 'project'),
    -- the same subject in another project: nobody had chosen anything there
    (7, '2026-11-18 09:00:00', 'github.com/acme/site', 's5', 'headless', 'Bash', 'npm test', 'reads'),
    -- identical concurrent calls
    (8, '2026-11-18 10:00:00', 'github.com/acme/shop', 's6', 'interactive', 'Bash', 'ls', 'reads'),
    (9, '2026-11-18 10:00:00', 'github.com/acme/shop', 's6', 'interactive', 'Bash', 'ls', 'reads'),
    -- asked before "don't ask again" was chosen: not again
    (10, '2026-11-19 08:00:00', 'github.com/acme/site', 's7', 'interactive', 'Bash', 'make', NULL),
    (11, '2026-11-19 08:00:01', 'github.com/acme/site', 's7', 'interactive', 'Bash', 'make', NULL)
) AS asked (number, ts, project, session_id, session_kind, tool_name, subject, reach);

INSERT INTO permission_events BY NAME
SELECT
    format('00000000-0000-0000-0000-{:012d}', number)::UUID AS id,
    'permission_asked' AS kind,
    ts::TIMESTAMP AS ts,
    ts::DATE AS day,
    project,
    '/w' AS cwd,
    session_id,
    session_kind,
    'hook' AS source,
    tool_name,
    subject,
    reach,
    subject || ' --all' AS input,
    md5(number::VARCHAR) AS input_digest,
    '["Bash(npm test *)"]' AS suggestions
FROM asked;

-- Decisions: of which prompt, when, what, how.
INSERT INTO permission_events BY NAME
SELECT
    format('00000000-0000-0000-0001-{:012d}', number)::UUID AS id,
    kind,
    decided_at::TIMESTAMP AS ts,
    decided_at::DATE AS day,
    asked.project,
    '/w' AS cwd,
    asked.session_id,
    asked.session_kind,
    'import:claude-code' AS source,
    asked.tool_name,
    asked.subject,
    'toolu_' || number AS tool_use_id,
    replace(format('00000000-0000-0000-0000-{:012d}', number), '-', '') AS asked_id,
    chosen AS "grant",
    waited AS waited_seconds,
    ambiguous,
    reason,
    words AS free_text
FROM (VALUES
    (1, '2026-11-02 09:00:10', 'permission_granted', 'always', 10, NULL, NULL, NULL),
    (2, '2026-11-16 09:01:00', 'permission_granted', 'once', 60, NULL, NULL, NULL),
    (3, '2026-11-16 10:00:05', 'permission_refused', NULL, 5.5, NULL, 'feedback', 'not on Friday'),
    (4, '2026-11-17 09:00:20', 'permission_granted', 'session', 20, NULL, NULL, NULL),
    (5, '2026-11-17 09:05:20', 'permission_granted', 'once', 20, NULL, NULL, NULL),
    (6, '2026-11-17 09:06:20', 'permission_granted', 'once', 40, NULL, NULL, NULL),
    (7, '2026-11-18 09:00:00', 'permission_refused', NULL, NULL, NULL, 'nobody', NULL),
    (8, '2026-11-18 10:00:09', 'permission_granted', 'always', 9, true, NULL, NULL),
    (10, '2026-11-19 08:00:30', 'permission_granted', 'always', 30, NULL, NULL, NULL),
    (11, '2026-11-19 08:00:31', 'permission_granted', 'always', 30, NULL, NULL, NULL)
) AS decided (number, decided_at, kind, chosen, waited, ambiguous, reason, words)
JOIN asked USING (number);

-- What the texts of skills ran; one is logged twice.
INSERT INTO permission_events BY NAME
SELECT
    uuid() AS id, 'skill_command' AS kind, ts::TIMESTAMP AS ts, ts::DATE AS day, 'github.com/acme/shop' AS project,
    '/w' AS cwd, 's9' AS session_id, 'interactive' AS session_kind, 'hook' AS source, 'Bash' AS tool_name,
    'git status' AS subject, skill, call AS tool_use_id
FROM (VALUES
    ('2026-11-16 12:00:00', 'ship', 'p:inner:preamble-0'),
    ('2026-11-16 12:00:00', 'ship', 'p:inner:preamble-0'),
    ('2026-11-16 12:00:00', 'ship', 'p:inner:preamble-1'),
    ('2026-11-17 12:00:00', 'deploy', 'q:inner:preamble-0'),
    ('2026-11-09 12:00:00', 'deploy', 'r:inner:preamble-0')
) AS ran (ts, skill, call);

-- What no hook saw: a refusal of an old transcript; calls that nobody was asked about.
INSERT INTO permission_events BY NAME
SELECT
    uuid() AS id, kind, ts::TIMESTAMP AS ts, ts::DATE AS day, 'github.com/acme/shop' AS project,
    '/w' AS cwd, 's9' AS session_id, 'interactive' AS session_kind, 'import:claude-code' AS source,
    tool AS tool_name, subject, 'toolu_x' || row_number() OVER () AS tool_use_id, reason, calls
FROM (VALUES
    ('permission_refused', '2026-11-16 12:00:00', 'Bash', 'rm', 'unknown', NULL),
    ('permission_denied', '2026-11-16 12:00:00', 'Bash', 'curl', 'auto', NULL),
    ('permission_denied', '2026-11-09 12:00:00', 'Bash', 'curl', 'auto', NULL),
    ('permission_auto', '2026-11-16 12:00:00', NULL, NULL, NULL, 40),
    ('permission_auto', '2026-11-17 12:00:00', NULL, NULL, NULL, 2)
) AS seen (kind, ts, tool, subject, reason, calls);
