-- How many rows each relation has, and a hash of them in order.
SELECT relation, count(*), md5(string_agg(row_text, chr(10) ORDER BY row_text))
FROM content
GROUP BY relation
ORDER BY relation;
