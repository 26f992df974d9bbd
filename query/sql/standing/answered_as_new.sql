-- How many questions the person answered since the moment $1 (UTC) that they were asked although a preference for them
-- stood: something in them was new to it.
SELECT count(*)::UBIGINT
FROM own_answers
WHERE ask_reason = 'ambiguous' AND ts > $1;
