-- Which of the incoming ids are in the log already. The small side is hashed, and its values prune
-- what is read of the other.
SELECT hi, lo FROM event_ids SEMI JOIN incoming_ids() AS incoming USING (hi, lo);
