DROP TABLE temp.incoming;
