-- Which prompts are asked for, as a variable: see ../report/request.sql.
-- $1 and $2 first and last day, NULL for any, $3 project or NULL, $4 the first day whose prompts without a decision may
-- still get one, or NULL.
SET VARIABLE prompts = {first_day: $1::DATE, last_day: $2::DATE, project: $3::VARCHAR, open_from: $4::DATE};
