-- What was made up, counted where it was and not of the rows: events each once, copies, and what became of what.
SELECT
    (2 * count(*) FILTER (WHERE what <> 'copy'))::UBIGINT AS events,
    (2 * count(*) FILTER (WHERE what = 'copy'))::UBIGINT AS copies,
    (count(*) FILTER (WHERE what = 'question'))::UBIGINT AS questions,
    (count(*) FILTER (WHERE what = 'question' AND ended = 'answered'))::UBIGINT AS answered,
    (count(*) FILTER (WHERE what = 'question' AND ended = 'auto_decided'))::UBIGINT AS auto_decided,
    (count(*) FILTER (WHERE what = 'question' AND ended = 'dismissed'))::UBIGINT AS dismissed,
    (count(*) FILTER (WHERE what = 'question' AND ended = 'failed'))::UBIGINT AS failed,
    (count(*) FILTER (WHERE what = 'prompt'))::UBIGINT AS prompts,
    (count(*) FILTER (WHERE what = 'session'))::UBIGINT AS sessions
FROM pairs;
