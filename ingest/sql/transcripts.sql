-- How far transcripts were read.
SELECT path, length, modified_ns, mark FROM transcripts;
