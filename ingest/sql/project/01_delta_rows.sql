-- Which events the batches bring for each question, by row number: grouping numbers is cheap,
-- grouping texts is not. The description is taken from the event that ranks first: the asking,
-- else the deciding, else the earliest of what came back.
CREATE OR REPLACE TEMP TABLE delta_rows AS
SELECT
    tool_use_id,
    question_index,
    min(rank) AS described_by,
    arg_min(row_number, rank) AS described_row,
    min(row_number) FILTER (kind = 'asked') AS asked_row,
    min(row_number) FILTER (kind = 'auto_decided') AS auto_decided_row,
    min(row_number) FILTER (kind = 'answered') AS answered_row,
    min(row_number) FILTER (kind = 'dismissed') AS dismissed_row,
    min(row_number) FILTER (kind = 'failed') AS failed_row
FROM (
    SELECT
        rowid AS row_number,
        kind,
        tool_use_id,
        question_index,
        (CASE kind WHEN 'asked' THEN 0 WHEN 'auto_decided' THEN 1 ELSE 2 END)::BIGINT
            * 10_000_000_000_000_000 + epoch_us(ts) AS rank
    FROM events
    WHERE batch BETWEEN ? AND ?
      AND kind IN ('asked', 'auto_decided', 'answered', 'dismissed', 'failed')
      AND tool_use_id IS NOT NULL
      AND question_index IS NOT NULL
      AND question_key IS NOT NULL
)
GROUP BY tool_use_id, question_index;
