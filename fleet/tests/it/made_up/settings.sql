-- A number from 0 to 1 that looks random, and is the same in every run: of the pair `n`, for a `purpose`.
CREATE MACRO chance(n, purpose) AS hash(concat(purpose, n))::DOUBLE / 18446744073709551616.0;
-- What stands for a keyed hash: 32 hexadecimal digits.
CREATE MACRO hashed(of_what, n) AS md5(concat(of_what, ' ', n));
SET preserve_insertion_order = false;
SET threads = getvariable('threads');
SET memory_limit = getvariable('memory');
-- A day fits into memory, or the machine is too small for it.
SET temp_directory = '';
