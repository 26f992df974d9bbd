-- The latest answers of the incoming series, with the two parts of their moments.
SELECT
    series,
    number,
    epoch_us(put_at),
    (moment - epoch_us(put_at)::HUGEINT * 18_446_744_073_709_551_616)::UBIGINT
FROM recent_answers
WHERE series IN (SELECT key FROM incoming_keys());
