-- What a report is asked for, as a variable that its queries read. A statement with parameters is planned twice,
-- without their values and with them; a variable is a constant when a statement is planned.
-- $1 and $2 first and last day of the period, $3 and $4 those of the period it is compared with, $5 the first day whose
-- open questions may still be answered, $6 project or NULL, $7 how many questions to list.
SET VARIABLE request = {
    first_day: $1::DATE,
    last_day: $2::DATE,
    first_day_before: $3::DATE,
    last_day_before: $4::DATE,
    open_from: $5::DATE,
    project: $6::VARCHAR,
    listed: $7::BIGINT
};
