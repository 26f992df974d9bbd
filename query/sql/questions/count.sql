-- How many questions were asked, in the project $1 or, if that is NULL, in all.
SELECT count(*) FROM questions WHERE $1::VARCHAR IS NULL OR project = $1;
