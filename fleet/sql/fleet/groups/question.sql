-- By question key.
SELECT period.*, question_key AS name, key_name AS label FROM period
