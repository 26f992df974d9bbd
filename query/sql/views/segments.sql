-- Sets the variable `segments`: the folders that may be read in.
SET VARIABLE segments = [$1::VARCHAR];
