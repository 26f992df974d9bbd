INSERT INTO quarantine
FROM incoming ANTI JOIN quarantine USING (segment, "offset");
