SELECT * FROM stored_barred
