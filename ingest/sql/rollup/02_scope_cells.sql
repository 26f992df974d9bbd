-- The days and scopes of those.
CREATE OR REPLACE TEMP TABLE scope_cells AS
SELECT DISTINCT day, scope FROM cells JOIN series USING (series);
