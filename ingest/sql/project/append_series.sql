INSERT INTO series SELECT incoming.* FROM incoming_series() AS incoming ANTI JOIN series USING (series);
