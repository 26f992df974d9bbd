-- Forgets how far the transcripts of these paths were read.
DELETE FROM transcripts WHERE path IN (SELECT unnest(from_json($1::VARCHAR, '["VARCHAR"]')));
