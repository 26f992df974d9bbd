-- How many lines could not become events. $1 first day, $2 last day.
SELECT count(*) FROM quarantine WHERE day BETWEEN $1::DATE AND $2::DATE;
