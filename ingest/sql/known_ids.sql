-- Which of the ids that a batch brings are in the log already. The small side is hashed; of the
-- log only the id column is read.
SELECT events.id::VARCHAR FROM events SEMI JOIN incoming_ids() AS incoming ON events.id = incoming.id;
