-- The one definition of the time that a person spent answering, and of the time that they were away; waiting.sql has
-- that of the time that an agent waited. The variable `away_after` is the bound in seconds: who has not answered by
-- then was away.
--
-- A question's `human_seconds` is its share of the time from asking its call to the answer: the questions of a
-- call stand in one dialog, and share what that took. So sums count a dialog once. The bound is one of the whole
-- dialog; it is divided here, and not the share multiplied, because what was divided alike compares alike.

-- Whether the person was away between asking and answer; NULL where no person answered, or no time is known.
CREATE TEMP MACRO was_away(human_seconds, question_count) AS
human_seconds > getvariable('away_after') / if(question_count > 1, question_count, 1);

-- What they spent on the answer; NULL where they were away.
CREATE TEMP MACRO answering_seconds(human_seconds, question_count) AS
CASE WHEN NOT was_away(human_seconds, question_count) THEN human_seconds END;

-- What passed until the answer while they were away; else NULL.
CREATE TEMP MACRO away_seconds(human_seconds, question_count) AS
CASE WHEN was_away(human_seconds, question_count) THEN human_seconds END;

-- Whether a wait of so many seconds, such as that of a prompt for permission, is longer than a person takes.
CREATE TEMP MACRO is_away(seconds) AS seconds > getvariable('away_after');
