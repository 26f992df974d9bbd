-- What a test gives, in the words of the views; `facts.sql` makes a store's tables of it.
CREATE TEMP TABLE given_daily AS FROM daily LIMIT 0;
CREATE TEMP TABLE given_daily_answers AS FROM daily_answers LIMIT 0;
CREATE TEMP TABLE given_daily_sessions AS FROM daily_sessions LIMIT 0;
CREATE TEMP TABLE given_questions AS FROM questions LIMIT 0;
CREATE TEMP TABLE given_events AS FROM events LIMIT 0;
