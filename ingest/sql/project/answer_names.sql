SELECT number, answer_name
FROM details
WHERE number IN (SELECT number FROM incoming_numbers()) AND answer_name IS NOT NULL;
