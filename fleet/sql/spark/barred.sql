-- A projection's keys that are never starters: a schema in Spark's notation.
question_key STRING
