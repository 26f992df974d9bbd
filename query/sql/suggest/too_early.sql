-- Of the days after $1 up to $2, the last one whose answers are not read, because those of later days are more than $3;
-- NULL if none is.
SELECT max(day)
FROM (
    SELECT day, sum(count(*)) OVER (ORDER BY day DESC) - count(*) AS later
    FROM own_answers
    WHERE day > $1::DATE AND day <= $2::DATE
    GROUP BY day
)
WHERE later > $3::UBIGINT;
