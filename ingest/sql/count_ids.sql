-- How many ids there are that may be met again.
SELECT (SELECT count(*) FROM event_ids) + (SELECT count(*) FROM question_ids);
