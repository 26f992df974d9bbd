-- The row from which on those come that are appended next.
SET VARIABLE first_row = (SELECT coalesce(max(rowid) + 1, 0) FROM {table});
