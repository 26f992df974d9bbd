-- Of each of the projections that were computed beside the store: rows, and a digest that does not depend on their order.
SELECT 'questions', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM computed_questions AS t;
SELECT 'sessions', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM computed_sessions AS t;
SELECT 'daily', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM computed_daily AS t;
SELECT 'daily_answers', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM computed_daily_answers AS t;
SELECT 'daily_sessions', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM computed_daily_sessions AS t;
SELECT 'daily_errors', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM computed_daily_errors AS t;
SELECT 'recent_answers', count(*)::UBIGINT, sum(hash(t)::HUGEINT)::VARCHAR FROM computed_recent_answers AS t;
