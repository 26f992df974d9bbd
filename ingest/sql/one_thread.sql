-- What a transaction leaves to be done is done by the thread that asks for it: another one would only
-- look on, and take the core from the one that reads ahead.
SET threads = 1;
