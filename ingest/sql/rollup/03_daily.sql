DELETE FROM daily_facts
USING cells
WHERE daily_facts.day = cells.day AND daily_facts.series = cells.series;

INSERT INTO daily_facts
SELECT
    day,
    series,
    -- The last one put that day; of several put at one moment always the same.
    arg_max(
        wording,
        epoch_us(put_at)::HUGEINT * 18_446_744_073_709_551_616 + tie
    ) AS wording,
    bool_or(is_one_way) AS is_one_way,
    max(put_at) AS last_at,
    count(*) FILTER (question_index = 0) AS calls,
    count(*) FILTER (outcome <> 2) AS asked,
    count(*) FILTER (outcome = 1) AS answered,
    count(*) FILTER (outcome = 2) AS auto_decided,
    count(*) FILTER (outcome = 3) AS failed,
    count(*) FILTER (outcome = 4) AS dismissed,
    count(*) FILTER (outcome = 0) AS open,
    count(*) FILTER (outcome = 1 AND followed_recommendation) AS followed,
    count(*) FILTER (outcome = 1 AND NOT followed_recommendation) AS overrode,
    count(*) FILTER (outcome = 1 AND followed_recommendation IS NULL) AS unrecommended,
    coalesce(list_sort(list(human_seconds) FILTER (human_seconds IS NOT NULL)), []) AS human_seconds
FROM question_facts
SEMI JOIN cells USING (day, series)
GROUP BY day, series;
