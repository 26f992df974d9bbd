-- How DuckDB would run the person's statement, as JSON: which columns of which tables it scans.
EXPLAIN (FORMAT json) FROM result;
