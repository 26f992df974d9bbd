-- Whole rows, enumerated columns as text.
SELECT
    * REPLACE (
        session_kind::VARCHAR AS session_kind,
        key_source::VARCHAR AS key_source,
        door::VARCHAR AS door,
        outcome::VARCHAR AS outcome,
        ask_reason::VARCHAR AS ask_reason
    )
FROM {questions}
WHERE id IN (SELECT unnest(from_json($1::VARCHAR, '["UBIGINT"]')));
