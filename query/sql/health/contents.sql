-- How much was logged, and when the hook last did; imports bring old events, so its own are counted apart.
SELECT
    (SELECT coalesce(sum(events), 0)::UBIGINT FROM segments) AS events,
    (SELECT count(*) FROM questions) AS questions,
    (
        SELECT count(*) FROM questions
        WHERE auto_decided_at IS NOT NULL AND ask_detail = 'not_printed'
    ) AS withdrawn,
    (SELECT max(last_hook_at) FROM segments) AS last_hook_at;
