-- What does not fit into memory goes to the folder of this database, which is removed at the end.
SET temp_directory = getvariable('folder');
SET preserve_insertion_order = false;
