-- One thread, so that the same rows make the same file.
SET threads = 1;
SET temp_directory = getvariable('folder');
