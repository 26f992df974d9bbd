CREATE TABLE tombstones (publisher VARCHAR NOT NULL, project VARCHAR);
