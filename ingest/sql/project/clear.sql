DELETE FROM questions;
DELETE FROM sessions;
DELETE FROM daily;
DELETE FROM daily_answers;
DELETE FROM daily_sessions;
DELETE FROM daily_errors;
