-- Lines of any length: the reader of CSV skips those that are no events without holding them in memory, as that of JSON
-- does not. A line is one value to it.
SELECT * REPLACE (lower(id) AS id)
FROM (
    SELECT unnest(from_json(CASE WHEN json_valid(line) THEN line END, '{{structure}}'))
    FROM read_csv(
        [{files}], columns = {'line': 'VARCHAR'}, delim = chr(1), quote = '', escape = '', header = false,
        auto_detect = false, strict_mode = false, ignore_errors = true, max_line_size = 1048576, new_line = '\n'
    )
)
WHERE v = 1 AND length(id) = 32 AND ts IS NOT NULL AND kind IS NOT NULL
