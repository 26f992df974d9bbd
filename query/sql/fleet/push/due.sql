-- Rows as they will stand in the lake, and the UTC day that they belong to. `{columns}` are the fields of an event.
CREATE TABLE due (
    {columns}, ts_us BIGINT, project_name VARCHAR, key_name VARCHAR, answer_hash VARCHAR, answer_name VARCHAR, day DATE
);
