-- What a report is asked for, as a variable that its queries read. A statement with parameters is planned twice,
-- without their values and with them; a variable is a constant when a statement is planned.
-- $1 and $2 first and last day of the period, $3 first day of the period before, $4 and $5 first and last day of both
-- and of the trend, $6 the first day whose open questions may still be answered, $7 project or NULL, $8 how many
-- questions to list.
SET VARIABLE request = {
    first_day: $1::DATE,
    last_day: $2::DATE,
    first_day_before: $3::DATE,
    first_day_of_all: $4::DATE,
    last_day_of_all: $5::DATE,
    open_from: $6::DATE,
    project: $7::VARCHAR,
    listed: $8::BIGINT
};
