-- The questions that came up in the period. What was asked before the moment `open_from_us`, and has no end, was
-- left. Who took longer to answer a call than `away_us` was away: that is no time spent answering.
SELECT
    questions.*,
    CASE WHEN call_us <= settings.away_us THEN human_us END AS answering_us,
    CASE WHEN call_us > settings.away_us THEN human_us END AS awaited_us,
    CASE WHEN outcome = 'open' AND put_us < settings.open_from_us THEN 'dismissed' ELSE outcome END AS ended
FROM questions
CROSS JOIN settings
WHERE put_us >= settings.first_us AND put_us < settings.end_us
