-- What just came about questions, but for those that came whole: a part tells what the events of
-- one stretch say about one question.
CREATE OR REPLACE TEMP TABLE parts AS FROM incoming_parts();
