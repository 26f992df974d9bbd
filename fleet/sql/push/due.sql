-- Rows as they will stand in the lake. `{columns}` are the fields of an event.
CREATE OR REPLACE TABLE due (
    {columns}, ts_us BIGINT, project_name VARCHAR, key_name VARCHAR, answer_hash VARCHAR, answer_name VARCHAR
);
