-- A file of the lake, column by column: docs/development/fleet-lake.md. `{columns}` are the fields of an event.
CREATE TABLE lake_rows (
    {columns},
    publisher VARCHAR,
    ts_us BIGINT,
    project_name VARCHAR,
    key_name VARCHAR,
    answer_hash VARCHAR,
    answer_name VARCHAR
);
