SELECT count(*) FROM quarantine;
