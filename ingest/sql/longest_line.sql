-- The length of the longest line that is no event, its end included; NULL without one.
SELECT max(length) + 1
FROM quarantine;
