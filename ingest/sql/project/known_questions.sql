SELECT hi, lo, question_ids.number
FROM question_ids
SEMI JOIN incoming_ids() AS incoming USING (hi, lo);
