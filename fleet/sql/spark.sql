-- What the reports read of the files: a schema in Spark's notation.
machine STRING, day DATE, id STRING, ts_us BIGINT, kind STRING, session_id STRING, session_kind STRING, project STRING,
agent_id STRING, source STRING, tool_name STRING, tool_use_id STRING, question_index BIGINT, question_count BIGINT,
question_key STRING, key_source STRING, key_name STRING, door STRING, multi_select BOOLEAN,
skill STRING, answer_hash STRING, answer_name STRING, was_auto_decided BOOLEAN, followed_recommendation BOOLEAN,
input_digest STRING, asked_id STRING, waited_seconds DOUBLE, ambiguous BOOLEAN, error_kind STRING, reason STRING
