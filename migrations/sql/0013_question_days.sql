-- The days on which each question came up, by the first half of its id and in that order: an event's question is
-- looked for among those of a few days, and not by reading the ids of all. Only added to, so it may name days
-- too many, and never one too few.
CREATE TABLE question_days (
    id_start UINTEGER NOT NULL,
    -- UTC
    day      DATE NOT NULL
);
