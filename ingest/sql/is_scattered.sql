-- Whether the store lies in so many parts that it is to be computed again: a run leaves a row group of its own in each
-- table, however few its rows, and they take 0.16 MB together. A larger store takes longer and may have more.
-- (DuckDB can list the row groups themselves, but reads the whole table for that.)
SELECT count(*) > 32 + (SELECT count(*) FROM question_days) // 10000 FROM runs;
