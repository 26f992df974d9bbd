-- A projection's prompts: a schema in Spark's notation.
put_us BIGINT,
publisher STRING,
project STRING,
tool_name STRING,
outcome STRING,
waited_us BIGINT
