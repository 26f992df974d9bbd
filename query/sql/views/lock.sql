-- From here on nothing but the store and the segments of the log can be read, and nothing of this can be changed.
SET allowed_directories = getvariable('segments');
SET enable_external_access = false;
SET lock_configuration = true;
