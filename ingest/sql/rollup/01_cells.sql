-- The days and series whose rollups the change touches.
CREATE OR REPLACE TEMP TABLE cells AS SELECT day, series FROM incoming_cells();
