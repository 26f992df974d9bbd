SELECT num_rows::UBIGINT FROM parquet_file_metadata(?);
