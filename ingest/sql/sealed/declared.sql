-- The sum of the digests, in decimal, as the file says itself.
SELECT max(decode(value)) FROM parquet_kv_metadata(?) WHERE key = 'plantune_digest'::BLOB;
