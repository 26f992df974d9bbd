-- Whether any segment of the log can be read.
SELECT count(*) > 0 FROM segments WHERE damage IS NULL;
