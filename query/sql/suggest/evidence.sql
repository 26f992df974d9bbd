-- Which answers are evidence, as a variable that the queries read: a statement with parameters is planned twice.
-- $1 how often a question was answered in one project, at least; $2 the last day with a question; $3 how many
-- answers to questions that were answered less often are read, at most; $4 the keys that rules give, with commas
-- between them; $5 how many answers to one question are read, at most; $6 the last day before all of them.
SET VARIABLE evidence = {least: $1::BIGINT, last_day: $2::DATE, loose: $3::BIGINT, named: $4::VARCHAR, most: $5::BIGINT,
    first_day: $6::DATE};
