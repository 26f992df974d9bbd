DELETE FROM questions WHERE id IN (SELECT id FROM incoming);
