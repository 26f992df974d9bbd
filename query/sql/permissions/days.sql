-- How many of the prompts in `judged_prompts` came on each day that had any.
SELECT day, count(*) FROM judged_prompts GROUP BY day;
