-- What does not fit into memory goes to this folder, which is removed at the end.
SET temp_directory = getvariable('folder');
SET preserve_insertion_order = false;
