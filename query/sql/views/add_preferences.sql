-- The preferences that the JSON list $1 holds, each with the columns of the table; their times are UTC.
INSERT INTO preferences BY NAME
SELECT * REPLACE (local_time(set_at) AS set_at)
FROM (
    SELECT unnest(from_json($1::VARCHAR, '[{
        "scope": "VARCHAR", "project": "VARCHAR", "question_key": "VARCHAR", "preference": "VARCHAR", "level": "VARCHAR",
        "answer": "VARCHAR", "question": "VARCHAR", "set_at": "TIMESTAMP", "set_by": "VARCHAR"
    }]'), recursive := true)
);
