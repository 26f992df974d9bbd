-- What a report is about, in one row: of groups of fewer machines than `k` nothing is shown; the period in microseconds
-- since 1970, its end excluded; what was asked before `open_from_us` and has no end was left; who takes longer than
-- `away_us` to answer was away.
SELECT
    CAST({k} AS BIGINT) AS k,
    CAST({first_us} AS BIGINT) AS first_us,
    CAST({end_us} AS BIGINT) AS end_us,
    CAST({open_from_us} AS BIGINT) AS open_from_us,
    CAST({away_us} AS BIGINT) AS away_us
