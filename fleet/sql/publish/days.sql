SELECT day AS date, count(*)::UBIGINT AS events FROM incoming GROUP BY day ORDER BY day;
