-- Rows as they will stand in the lake, with the UTC day that they belong to, and what the journal knows them by.
CREATE TABLE incoming AS SELECT *, NULL::DATE AS day, NULL::VARCHAR AS journal_key FROM lake_rows;
