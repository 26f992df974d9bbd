-- The latest forty answers of the incoming series. Of several put at one moment always the same count.
SELECT series, unnest(arg_max(number, moment, 40))
FROM (
    SELECT
        series,
        number,
        epoch_us(put_at)::HUGEINT * 18_446_744_073_709_551_616 + tie AS moment
    FROM question_facts
    WHERE outcome = 1
      AND was_auto_decided IS NOT true
      AND series IN (SELECT key FROM incoming_keys())
)
GROUP BY series;
