SELECT * FROM barred ORDER BY question_key
