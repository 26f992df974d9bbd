INSERT INTO recent_answers
SELECT
    series,
    number,
    epoch_us(put_at)::HUGEINT * 18_446_744_073_709_551_616 + tie,
    day, put_at, context, wording, answered, question_index, is_one_way, human_seconds
FROM question_facts
WHERE number IN (SELECT number FROM incoming_numbers());
