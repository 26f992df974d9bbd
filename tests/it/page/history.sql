-- Beside the habits of `query/tests/sql/habits.sql`: a week in which questions ended in every way, with texts
-- that want to be more than texts. Friday 20 November 2026 is today.
INSERT INTO questions BY NAME
SELECT
    DATE '2026-11-16' + (n % 5)::INTEGER AS day,
    TIMESTAMP '2026-11-16 08:00:00' + (n % 5) * INTERVAL 1 DAY + (n % 7) * INTERVAL 37 MINUTES AS ts,
    'week' || n AS tool_use_id,
    'session' || n % 4 AS session_id,
    'github.com/o/r' AS project,
    'next-area' AS question_key,
    'More questions about the basket, or move to the next area?' AS question,
    '["More questions","Next area"]' AS options,
    'answered' AS outcome,
    if(n % 9 = 0, '(typed)', 'Next area') AS answer_name,
    false AS was_auto_decided,
    n % 9 <> 0 AS followed_recommendation,
    1.5 * 2 ** (n % 12) AS human_seconds
FROM range(40) AS numbers(n);

INSERT INTO questions BY NAME
SELECT
    DATE '2026-11-18' AS day, TIMESTAMP '2026-11-18 12:00:00' + n * INTERVAL 1 MINUTE AS ts,
    'hostile' || n AS tool_use_id, '</title><script>console.log(1)</script>' AS project,
    '"><img src=x onerror=alert(1)>' AS question_key,
    '<script>document.title = "owned"</script><img src="https://evil.example/x.png">'
    || chr(8238) || 'txt.exe' || chr(8236) || ' =HYPERLINK("https://evil.example";"x") &lt;b&gt; ' || chr(27)
    || '[31mred' AS question,
    '["=1+1","@SUM(A1)"]' AS options,
    ['answered', 'auto_decided', 'failed', 'dismissed', 'open', 'answered'][n + 1] AS outcome,
    if(n % 5 = 0, ['<svg onload=alert(2)>', '=1+1'][n // 5 + 1], NULL) AS answer_name,
    if(n = 1, '["<iframe src=https://evil.example>"]', NULL) AS auto_answer,
    if(n = 1, 'never-ask', NULL) AS preference,
    if(n = 2, '<style>*{display:none}</style>', NULL) AS error_kind,
    if(n % 5 = 0, 12.25, NULL) AS human_seconds
FROM range(6) AS numbers(n);

-- Spot checks of the preference for `layout`.
INSERT INTO questions BY NAME
SELECT
    DATE '2026-11-10' + n::INTEGER AS day, TIMESTAMP '2026-11-10 11:00:00' + n * INTERVAL 1 DAY AS ts,
    'check' || n AS tool_use_id, 'github.com/o/r' AS project, 'layout' AS question_key,
    'Which layout?' AS question, '["Grid (Recommended)","List"]' AS options, 'answered' AS outcome,
    if(n = 4, '["List"]', '["Grid (Recommended)"]') AS answer, if(n = 4, 'List', 'Grid') AS answer_name,
    false AS was_auto_decided, 'spot_check' AS ask_reason, '["Grid"]' AS spot_check_answer,
    'never-ask' AS spot_check_preference, 'project' AS spot_check_scope, 20.0 AS human_seconds
FROM range(9) AS numbers(n);

-- Prompts for permission: five for the tests, of which four were allowed, and two for a hostile command.
CREATE TEMP TABLE prompts AS
SELECT
    n,
    ('00000000-0000-0000-0000-' || lpad(n::VARCHAR, 12, '0'))::UUID AS id,
    DATE '2026-11-16' + (n % 4)::INTEGER AS day,
    TIMESTAMP '2026-11-16 09:00:00' + (n % 4) * INTERVAL 1 DAY + n * INTERVAL 1 MINUTE AS ts,
    if(n < 5, 'npm test', 'rm <script>alert(3)</script>' || chr(8238)) AS subject
FROM range(7) AS numbers(n);

INSERT INTO permission_events BY NAME
SELECT
    id, 'permission_asked' AS kind, ts, day, 'github.com/o/r' AS project, '/w' AS cwd, 's' AS session_id,
    'interactive' AS session_kind, 'hook' AS source, 'Bash' AS tool_name, subject, 'reads' AS reach
FROM prompts
UNION ALL BY NAME
SELECT
    uuid() AS id, if(n = 3, 'permission_refused', 'permission_granted') AS kind,
    ts + INTERVAL 9 SECONDS AS ts, day, 'github.com/o/r' AS project, '/w' AS cwd, 's' AS session_id,
    'interactive' AS session_kind, 'import:claude-code' AS source, 'Bash' AS tool_name, subject, 'reads' AS reach,
    'call' || n AS tool_use_id, replace(prompts.id::VARCHAR, '-', '') AS asked_id, 9.0 AS waited_seconds
FROM prompts
WHERE n < 6;
