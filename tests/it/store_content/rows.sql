-- The rows of one relation, in order.
SELECT row_text FROM content WHERE relation = ? ORDER BY row_text;
