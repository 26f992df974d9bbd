INSERT INTO preferences VALUES ($1, $2, $3, $4, $5, $6, $7, local_time($8::TIMESTAMP), $9);
