-- From here on nothing but the store and the log can be read, and nothing of this can be changed.
SET enable_external_access = false;
SET lock_configuration = true;
