-- Whether a prompt for permission was ever logged.
SELECT EXISTS (FROM permission_events);
