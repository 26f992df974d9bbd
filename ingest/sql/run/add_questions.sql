INSERT INTO questions FROM new_questions;
DROP TABLE temp.new_questions;
