-- The segments that cannot be read to their end: the view `whole_log` leaves them out.
SELECT segment FROM segments WHERE damage IS NOT NULL ORDER BY segment;
