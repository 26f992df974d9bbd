-- A time of the store (UTC) as the person's clock showed it. The variable `zone` has what that clock was ahead, in
-- seconds, and from when on, in the order of time: DuckDB's own time zones are an extension that not every build has.
CREATE OR REPLACE TEMP MACRO local_time(utc) AS
utc + to_seconds(list_last(list_filter(getvariable('zone'), LAMBDA one: one.since <= utc)).seconds);
