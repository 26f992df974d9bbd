-- Of each of the store's projections: rows, and a digest that does not depend on their order.
SELECT 'questions', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM stored_questions AS t;
SELECT 'sessions', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM stored_sessions AS t;
SELECT 'daily', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM stored_daily AS t;
SELECT 'daily_answers', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM stored_daily_answers AS t;
SELECT 'daily_sessions', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM stored_daily_sessions AS t;
SELECT 'daily_errors', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM stored_daily_errors AS t;
SELECT 'recent_answers', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM stored_recent_answers AS t;
