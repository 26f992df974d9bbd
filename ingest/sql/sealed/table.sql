-- Events on their way into a sealed segment, and a digest of each.
CREATE TABLE events ({columns}, digest UBIGINT);
BEGIN TRANSACTION;
