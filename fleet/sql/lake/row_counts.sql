SELECT file_name, num_rows::UBIGINT FROM parquet_file_metadata(getvariable('files'));
