-- The last day with a question; NULL without any.
SELECT max(day) FROM questions;
