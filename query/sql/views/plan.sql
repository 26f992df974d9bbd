EXPLAIN (FORMAT json) FROM result;
