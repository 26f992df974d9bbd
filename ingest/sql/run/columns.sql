-- The columns of a table, in their order.
SELECT name FROM pragma_table_info(?) ORDER BY cid;
