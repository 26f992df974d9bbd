-- How many questions the store has, and the last day with one; NULL without any.
SELECT count(*)::UBIGINT AS questions, max(day) AS last_day FROM questions;
