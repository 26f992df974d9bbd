CREATE TABLE settings AS
SELECT
    ?::BIGINT AS k, ?::BIGINT AS first_us, ?::BIGINT AS end_us, ?::BIGINT AS open_from_us, ?::BIGINT AS away_us;
