-- How many statements the text $1 is, where all of them are SELECT; else NULL, and what kind of error it is.
SELECT json_array_length(tree, '$.statements')::UBIGINT AS statements, coalesce(tree ->> '$.error_type', '') AS error
FROM (SELECT json_serialize_sql($1::VARCHAR)::JSON AS tree);
