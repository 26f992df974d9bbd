-- How much was logged, and when the log last grew; imports bring old events, so the hook's own are
-- counted apart.
SELECT
    (SELECT coalesce(sum(events), 0)::UBIGINT FROM segments) AS events,
    (SELECT count(*) FROM questions) AS questions,
    (
        SELECT count(*)
        FROM questions
        WHERE outcome = 'answered' AND asked_at IS NULL AND auto_decided_at IS NULL
    ) AS unasked,
    greatest(
        (SELECT max(ts) FROM questions),
        (SELECT max(last_at) FROM sessions)
    ) AS last_at,
    (SELECT max(last_hook_at) FROM segments) AS last_hook_at,
    (SELECT count(*) FROM permission_prompts) AS prompts,
    (
        SELECT min(ts)
        FROM permission_events
        WHERE kind IN ('permission_asked', 'permission_granted')
    ) AS approvals_since;
