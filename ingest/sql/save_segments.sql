DELETE FROM segments WHERE segment IN (SELECT segment FROM incoming);
INSERT INTO segments FROM incoming;
