INSERT INTO event_ids SELECT hi, lo FROM incoming_ids();
