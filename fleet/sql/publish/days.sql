SELECT day, count(*)::UBIGINT FROM incoming GROUP BY day ORDER BY day;
