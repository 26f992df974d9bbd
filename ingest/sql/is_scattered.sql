-- Whether the store lies in so many parts that it is to be computed again: a run leaves a row group of its own in each
-- table, however few its rows, and each takes half a megabyte. A larger store takes longer and may have more.
SELECT count(DISTINCT row_group_id) > 32 + (SELECT count(*) FROM question_days) // 10000
FROM pragma_storage_info('question_days');
