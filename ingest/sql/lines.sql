SELECT * REPLACE (lower(id) AS id)
FROM read_json([{files}], format = 'newline_delimited', ignore_errors = true, columns = {{columns}})
WHERE v = 1 AND length(id) = 32 AND ts IS NOT NULL AND kind IS NOT NULL
